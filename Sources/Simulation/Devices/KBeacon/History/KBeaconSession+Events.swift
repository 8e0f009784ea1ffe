import Bytes

/// Indications of FEA3, one at a time (kbeacon.md, Other parameters).
extension KBeaconSession {
    /// Schedules the events when the handshake is done.
    mutating func beginEvents(at now: Duration) {
        link.events = description.events.map { (due: now + $0.delay, event: $0) }.sorted { $0.due < $1.due }
    }

    /// Reports due events; `isHeard` is whether the client wants indications.
    mutating func announce(isHeard: Bool, at now: Duration) -> [KBeaconReaction] {
        if let due = link.floodDue, due <= now { return continueAnswer(at: now) }
        guard !link.isIndicating, let (due, event) = link.events.first, due <= now else { return [] }
        link.events.removeFirst()
        guard isHeard, isAuthenticated, !link.isSilent, memory.settings.tells(event.trigger),
            let kind = event.kind(description.generation)
        else { return [] }
        link.isIndicating = true
        switch (description.generation, kind) {
        // 60.5 °C and 81 %.
        case (.first, 2):
            return [.indicate([kind] + [UInt8](seconds(at: now)) + [0x3C, 0x80, 0x51, 0x00], at: now)]
        case (.first, 3): return [.indicate([kind, event.press.rawValue], at: now)]
        default: return [.indicate([kind], at: now)]
        }
    }

    /// Processes a confirmation from the client; returns whether it was for one of these indications.
    mutating func confirmed() -> Bool {
        defer { link.isIndicating = false }
        return link.isIndicating
    }
}
