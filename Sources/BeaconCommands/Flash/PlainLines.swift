import UpdateCore

/// Events as lines for a pipe or a log: progress at every tenth of the way.
struct PlainLines: ProgressRenderer {
    private var lastTenth = 0
    private var awaited: Awaited

    /// Lines of an update that ends with what is `awaited`.
    init(_ awaited: Awaited = Awaited()) { self.awaited = awaited }

    mutating func render(_ event: UpdateEvent) -> [Rendering] {
        awaited.note(event)
        switch event {
        case .progress(let sent, let total, let rate):
            let tenth = total > 0 ? sent * 10 / total : 0
            defer { lastTenth = tenth }
            guard tenth != lastTenth else { return [] }
            return [
                .line(
                    "\(total > 0 ? sent * 100 / total : 100) %, \(Quantities.bytes(sent)) of \(Quantities.bytes(total)), "
                        + Quantities.speed(rate))
            ]
        case .speed, .steadySpeed, .currentSpeed: return []
        default: return Talk.line(of: event, awaited).map { [.line($0)] } ?? []
        }
    }
}

/// What both kinds of text say about events that are not progress.
enum Talk {
    static func line(of event: UpdateEvent, _ awaited: Awaited = Awaited()) -> String? {
        switch event {
        case .phase(.rebooting): return "waiting for \(awaited)"
        case .phase(let phase): return phaseName(phase)
        case .part(let part): return "\(part)"
        case .connected(let address, let link): return "connected to \(address), \(link)"
        case .resumed(0): return "the beacon holds the init packet but no firmware: sending from the start"
        case .resumed(let offset):
            return "the beacon holds \(Quantities.bytes(offset)) already: going on there"
        case .retry(let attempt, let reason, let offset):
            return "again (\(attempt)) from \(Quantities.bytes(offset)): \(reason)"
        case .warning(let code, let text): return "warning \(code): \(text)"
        case .detail(.deviceInformation(let name, let value)): return "\(name): \(value)"
        case .detail: return nil
        case .progress, .speed, .steadySpeed, .currentSpeed, .disconnected: return nil
        }
    }

    private static func phaseName(_ phase: UpdatePhase) -> String {
        switch phase {
        case .connecting: "connecting"
        case .enteringBootloader: "entering the bootloader"
        case .preparing: "preparing"
        case .transferring: "transferring"
        case .activating: "the beacon checks the image"
        case .rebooting: "waiting"
        case .verifying: "looking at what came up"
        }
    }
}
