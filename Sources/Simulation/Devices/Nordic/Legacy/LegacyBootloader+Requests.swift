import Bytes

extension LegacyBootloader {
    /// Processes a write to the Control Point.
    ///
    ///     0  1  opcode
    ///     1  …  fields, little-endian
    public mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard stage != .closing, let opcode = request.first else { return [] }
        guard !isTired(at: now) else { return leave(at: now) }
        if stage == .stalled, opcode != 0x06 { return [] }
        let isSecond = personality.dialect == .second
        switch opcode {
        case 0x01:
            guard request.count > 1 || !isSecond else {
                statistics.note(LegacyRule.requestOfWrongLength)
                return [answer(opcode, .operationFailed, at: now)]
            }
            expected = .start
            mode = request.count > 1 ? request[1] : 0
            return []
        case 0x02:
            guard request.count > 1 || personality.hasBareInit else {
                statistics.note(LegacyRule.requestOfWrongLength)
                return [answer(opcode, .operationFailed, at: now)]
            }
            expected = .initPacket
            guard !personality.hasBareInit, request[1] == 0x01 else { return [] }
            let verdict = Self.status { () throws(LegacyStatus) in try finishInit() }
            return [answer(opcode, verdict, at: now)]
        case 0x03:
            expected = .image
            return []
        case 0x04:
            let verdict = Self.status { () throws(LegacyStatus) in try validate(at: now) }
            return [answer(opcode, verdict, at: now)]
        case 0x05: return activate(at: now)
        case 0x06: return leave(at: now)
        case 0x07:
            var writer = ByteWriter([0x10, opcode, LegacyStatus.success.rawValue])
            writer.integer(UInt32(truncatingIfNeeded: received))
            return [.notify(writer.bytes, at: now)]
        case 0x08:
            guard request.count > 2 else {
                statistics.note(LegacyRule.requestOfWrongLength)
                return [answer(opcode, .notSupported, at: now)]
            }
            notificationInterval = UInt16(request[1]) | UInt16(request[2]) << 8
            packetsUntilNotification = notificationInterval
            return []
        default:
            statistics.note(LegacyRule.unknownRequest)
            return [answer(opcode, .notSupported, at: now)]
        }
    }

    /// The init packet is complete; a failed one may be sent again without a reset.
    private mutating func finishInit() throws(LegacyStatus) {
        guard stage == .receivingInit, received == 0 else { throw broken(.initOutOfOrder, .invalidState) }
        let bytes = initBytes
        initBytes = []
        initPacket = try check.accept(bytes, for: announcement?.mode ?? 0)
        initBytes = bytes
        stage = .receivingImage
    }

    /// Verifies what is in flash now: an image whose last packets are still waiting is wrong.
    private mutating func validate(at now: Duration) throws(LegacyStatus) {
        // A client that has lost the response asks again: it is refused, but breaks no rule.
        guard stage != .validated, stage != .failed else { throw .invalidState }
        guard stage == .receivingImage, !isOverfull, received == announcement?.total else {
            throw broken(.validateBeforeAllData, .invalidState)
        }
        stay(from: now)
        stage = .failed
        let image = flash.content(place..<place + received)
        let isRight =
            personality.hasBareInit
            ? announcedChecksum.map { $0 == check.checksum(of: image) }
            : initPacket.map { check.passes(image, $0) }
        guard isRight ?? true else { throw .checksumError }
        stage = .validated
    }

    var check: LegacyCheck {
        LegacyCheck(device: device, identity: identity, softDevice: settings.softDevice)
    }

    /// Ends the link and resets, whatever was under way.
    mutating func leave(at now: Duration) -> [FirmwareReaction] {
        stage = .closing
        return [.disconnect(at: now), .reset(at: now)]
    }

    /// Records that `rule` was broken, which is refused with `status`.
    mutating func broken(_ rule: LegacyRule, _ status: LegacyStatus) -> LegacyStatus {
        statistics.note(rule)
        return status
    }

    func answer(_ opcode: UInt8, _ status: LegacyStatus, at now: Duration) -> FirmwareReaction {
        .notify([0x10, opcode, status.rawValue], at: now)
    }

    static func status(_ body: () throws(LegacyStatus) -> Void) -> LegacyStatus {
        do { try body() } catch { return error }
        return .success
    }
}
