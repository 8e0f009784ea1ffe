import Tray
import TrayEngine

extension BlinkEvent {
    /// One line for people about the unit at `slot`.
    func words(_ slot: String) -> String {
        switch self {
        case .refused(.atWork): return "\(slot) is being updated"
        case .refused(.isShown): return "\(slot) is asked to show itself already"
        case .refused(.notHeard): return "no adapter hears \(slot)"
        case .refused(.stopped): return "the run is ending"
        case .began(let length): return "\(slot) shows itself for \(Int(length / .seconds(1))) s"
        case .ended: return "\(slot) has shown itself"
        case .failed(let verdict):
            let cause = [verdict.code, verdict.message].compactMap(\.self).joined(separator: ", ")
            return "\(slot): \(cause)"
        }
    }
}
