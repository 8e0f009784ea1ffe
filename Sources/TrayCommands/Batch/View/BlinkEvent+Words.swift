import Tray

extension BlinkEvent {
    /// One line for people about the unit at `slot`.
    package func words(_ slot: String) -> String {
        switch self {
        case .refused(.atWork): return "\(slot) is being updated"
        case .refused(.isShown): return "\(slot) was already asked to blink"
        case .refused(.notHeard): return "no adapter hears \(slot)"
        case .refused(.stopped): return "the run is ending"
        case .began(let length): return "\(slot) blinks for \(Int(length / .seconds(1))) s"
        case .ended: return "\(slot) has blinked"
        case .failed(let verdict):
            let cause = [verdict.code, verdict.message].compactMap(\.self).joined(separator: ", ")
            return "\(slot): \(cause)"
        }
    }
}
