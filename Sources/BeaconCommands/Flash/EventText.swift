import UpdateCore

/// The words for events other than progress, in pipes and on terminals alike.
enum EventText {
    /// What is said of `event`: nothing, a line, or several.
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
        case .resumed(0): return "the beacon holds the init packet but no firmware: sending from the start"
        case .resumed(let offset):
            return "the beacon holds \(Quantities.bytes(offset)) already: going on there"
        case .retry(_, let reason, let offset):
            let attempt = transfer.isLinked ? "" : ", attempt \(transfer.attempt) of \(transfer.attempts)"
            return "\(reason): trying again from \(Quantities.bytes(offset))\(attempt)"
        case .warning(let code, let text): return "warning \(code): \(text)"
        case .detail(.deviceInformation(let name, let value)): return "\(name): \(value)"
        case .detail(.settingsCompared), .detail(.linkChanged): return "\(event)"
        case .detail: return nil
        case .progress, .speed, .steadySpeed, .currentSpeed, .disconnected: return nil
        }
    }

    /// A phase in words.
    static func name(of phase: UpdatePhase, _ transfer: TransferState) -> String {
        switch phase {
        case .connecting: "connecting"
        case .enteringBootloader: "entering the bootloader"
        case .preparing: "preparing"
        case .transferring: "transferring"
        case .activating: "the beacon checks the image"
        case .rebooting: "waiting for \(transfer.awaited)"
        case .verifying: "looking at what came up"
        }
    }
}
