import Bytes

/// The handshake (kbeacon.md, Handshake).
///
///     0  1  13; from a device, high half 1 and any low half
///     1  1  step: 01 number, 02 digest, F1 refusal; with a folded digest, 0B is a device's 01 and 0C a client's 02
///     2  -  01: the client's number, and optionally its clock in seconds, big-endian; the device's number and digest
///           02: the client's digest; the device's largest MTU, optional
extension KBeaconSession {
    mutating func handshake(_ value: [UInt8], at now: Duration) -> [KBeaconReaction] {
        let rest = value.dropFirst(2)
        switch (value.first, value.dropFirst().first, rest.count) {
        case (0x13, 0x01, 4), (0x13, 0x01, 8): return challenge(Array(rest), at: now)
        case (0x13, 0x02, 16): return check(Array(rest), isFolded: false, at: now)
        case (0x13, 0x0C, 8): return check(Array(rest), isFolded: true, at: now)
        default:
            statistics.note(.wrongHandshakeStep)
            return []
        }
    }

    private mutating func challenge(_ rest: [UInt8], at now: Duration) -> [KBeaconReaction] {
        if link.stage != .none { statistics.note(.handshakeAgain) }
        statistics.handshakes += 1
        if rest.count == 8 { clock = (rest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }, now) }
        guard faults.turn(afterStep: 1, ofHandshake: statistics.handshakes) == .goOn else {
            return turn(afterStep: 1, at: now)
        }
        let number = Self.number(description.seed, statistics.handshakes)
        // Step, number and digest must fit.
        let isFolded = description.handshake.foldsDigests || room < 22
        var digest = KBeaconDigest.whole(address, rest.prefix(4), memory.settings.password)
        if faults.isImpostor { digest = digest.map { ~$0 } }
        if isFolded { digest = KBeaconDigest.folded(digest) }
        if faults.isImpostor { digest[0] ^= 0xFF }
        link.stage = .challenged(number: number, isFolded: isFolded)
        return step([isFolded ? 0x0B : 0x01] + number + digest, at: now) + turn(afterStep: 2, at: now)
    }

    private mutating func check(_ digest: [UInt8], isFolded: Bool, at now: Duration) -> [KBeaconReaction] {
        guard case .challenged(let number, let wasFolded) = link.stage else {
            statistics.note(.wrongHandshakeStep)
            return []
        }
        statistics.passwordsTried += 1
        if faults.isImpostor { statistics.note(.digestToImpostor) }
        let whole = KBeaconDigest.whole(address, number, memory.settings.password)
        let isRight = isFolded == wasFolded && digest == (isFolded ? KBeaconDigest.folded(whole) : whole)
        if !isRight { statistics.wrongPasswords += 1 }
        if isFolded != wasFolded { statistics.note(.wrongHandshakeStep) }
        let isTaken = isRight && !faults.refusesDigest(ofHandshake: statistics.handshakes)
        link.stage = isTaken ? .authenticated : .refused
        guard faults.turn(afterStep: 3, ofHandshake: statistics.handshakes) == .goOn else {
            return turn(afterStep: 3, at: now)
        }
        guard isTaken else { return step([0xF1], at: now) + turn(afterStep: 4, at: now) }
        let style = description.handshake
        beginEvents(at: now)
        return step([0x02] + (style.tellsMTU ? [UInt8(clamping: style.maximumMTU)] : []), at: now)
            + turn(afterStep: 4, at: now)
    }

    private mutating func step(_ rest: [UInt8], at now: Duration) -> [KBeaconReaction] {
        notify([0x10 | description.handshake.tag & 0x0F] + rest, at: now + description.answers.delay)
    }

    private mutating func turn(afterStep step: Int, at now: Duration) -> [KBeaconReaction] {
        switch faults.turn(afterStep: step, ofHandshake: statistics.handshakes) {
        case .goOn: return []
        case .fallSilent:
            link.isSilent = true
            return []
        case .cut:
            // What is already due is sent first.
            return [.disconnect(at: now + description.answers.delay)]
        }
    }

    /// The device's number in a handshake of a beacon's life: unpredictable without the seed.
    private static func number(_ seed: UInt64, _ handshake: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(seed)
        writer.integer(UInt64(truncatingIfNeeded: handshake))
        return Array(MD5Digest.digest(writer.bytes).prefix(4))
    }
}
