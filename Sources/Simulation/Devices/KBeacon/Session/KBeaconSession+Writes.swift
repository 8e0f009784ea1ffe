/// Writes to FEA1 (kbeacon.md, Framing, Acks).
extension KBeaconSession {
    /// Processes a write; `isHeard` is whether the link's notifications are on.
    mutating func receive(_ value: [UInt8], isHeard: Bool = true, at now: Duration) -> [KBeaconReaction] {
        if link.stage == .refused { statistics.writesAfterRefusal += 1 }
        guard !link.isSilent else { return [] }
        if let first = value.first, first >> 4 == 1 {
            if !isHeard { statistics.note(.handshakeWithoutNotifications) }
            return handshake(value, at: now)
        }
        // Anything before the handshake is ignored.
        guard isAuthenticated else {
            statistics.note(.commandBeforeSession)
            return []
        }
        if let acknowledgement = KBeaconAcknowledgement(value) { return take(acknowledgement, at: now) }
        guard let piece = KBeaconPiece(value), piece.content == .binary || piece.content == .json else {
            statistics.note(.malformedPiece)
            return []
        }
        return take(piece, at: now)
    }

    private mutating func take(_ piece: KBeaconPiece, at now: Duration) -> [KBeaconReaction] {
        // It only has a buffer for one at a time.
        guard now >= link.busyUntil else {
            statistics.note(.pieceBeforeAcknowledgement)
            return []
        }
        let due = now + description.answers.delay
        link.busyUntil = due
        switch link.assembly.take(piece) {
        case .more(let next): return ask(piece.content, for: next, at: due)
        case .wrong(let next):
            statistics.note(.wrongOffset)
            return ask(piece.content, for: next, at: due)
        case .tooLong:
            statistics.note(.commandTooLong)
            return refuse(piece.content, .parameterInvalid, at: due)
        case .complete(let command): return carryOut(command, piece.content, at: now)
        }
    }

    private mutating func ask(
        _ content: KBeaconPiece.Content, for offset: Int, at due: Duration
    ) -> [KBeaconReaction] {
        let offset = faults.asked(offset)
        let window = description.answers.window
        return notify(
            KBeaconAcknowledgement(of: content, .more, offset: offset, window: window).value, at: due)
    }

    mutating func refuse(
        _ content: KBeaconPiece.Content, _ cause: KBeaconCause, at due: Duration
    ) -> [KBeaconReaction] {
        notify(KBeaconAcknowledgement(of: content, cause).value, at: due)
    }
}
