import CommandKit
import UpdateModel

/// The texts for events other than progress, on pipes and terminals.
enum EventText {
    static func lines(of event: UpdateEvent, _ transfer: TransferState) -> [String] {
        let first = line(of: event, transfer).map { [$0] } ?? []
        guard case .detail(.settingsCompared(let comparison)) = event else { return first }
        return first + comparison.lines
    }

    static func line(of event: UpdateEvent, _ transfer: TransferState) -> String? {
        switch event {
        case .phase(let phase): return name(of: phase, transfer)
        case .part(let part): return "\(part)"
        case .connected(let address, let link): return "connected to \(address), \(link)"
        case .resumed(0): return "the beacon has the init packet but no firmware: sending from the start"
        case .resumed(let offset): return "the beacon already has \(Quantities.bytes(offset)): resuming there"
        case .retry(_, let reason, let offset, let link):
            guard let link else { return "\(reason): retrying from \(Quantities.bytes(offset))" }
            return "\(reason): retrying, attempt \(link) of \(transfer.attempts)"
        case .warning(let code, let text): return "warning \(code): \(text)"
        case .detail(.deviceInformation(let name, let value)): return "\(name): \(value)"
        case .detail(.settingsCompared), .detail(.linkChanged): return "\(event)"
        case .detail: return nil
        case .progress, .speed, .steadySpeed, .currentSpeed, .disconnected: return nil
        }
    }

    static func name(of phase: UpdatePhase, _ transfer: TransferState) -> String {
        switch phase {
        case .activating: "the beacon is checking the image"
        case .rebooting: "waiting for \(transfer.awaited)"
        case .connecting, .enteringBootloader, .preparing, .transferring, .verifying: phase.words
        }
    }
}
