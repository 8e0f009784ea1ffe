import Bytes

extension LegacyBootloader {
    /// Processes a write to the Packet characteristic; the last request defines its meaning.
    public mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard stage != .closing, stage != .stalled else { return [] }
        guard !isTired(at: now) else { return leave(at: now) }
        statistics.packetsReceived += 1
        switch expected {
        case .start: return start(bytes, at: now)
        case .initPacket: return receiveInit(bytes, at: now)
        case .image: return receiveImage(bytes, at: now)
        case .nothing:
            statistics.packetsDropped += 1
            statistics.note(LegacyRule.dataWithoutRequest)
            return []
        }
    }

    /// Errors of the sizes are reported before the state is checked.
    private mutating func start(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        do throws(LegacyStatus) {
            let announcement = try LegacyAnnouncement(bytes, mode: mode, in: personality.dialect)
            try announcement.check()
            let room = try identity.layout.legacyPlace(for: announcement, twoBanks: personality.hasTwoBanks)
            guard stage == .idle else {
                throw hasStartedHere ? broken(.startAgain, .invalidState) : .invalidState
            }
            stay(from: now)
            hasStartedHere = true
            self.announcement = announcement
            place = room.address
            for page in 0..<FlashModel.pages(in: room.erasing) {
                _ = flash.append(.erase(room.address + page * FlashModel.pageSize), at: now)
            }
            let erased = flash.idle(at: now)
            stage = .preparing(until: erased)
            advance(to: now)
            return [answer(0x01, .success, at: erased)]
        } catch {
            // A device that does not report its dialect reveals it only in the response to a Start.
            if error != .invalidState, personality.dialect == .second {
                statistics.note(LegacyRule.malformedStart)
            }
            return [answer(0x01, error, at: now)]
        }
    }

    /// Each packet is padded with zeros to whole words.
    private mutating func receiveInit(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        let padded = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        let status = Self.status { () throws(LegacyStatus) in try takeInit(padded, at: now) }
        if personality.hasBareInit { return [answer(0x02, status, at: now)] }
        return status == .success ? [] : [answer(0x02, status, at: now)]
    }

    private mutating func takeInit(_ bytes: [UInt8], at now: Duration) throws(LegacyStatus) {
        guard stage == .ready || stage == .receivingInit, received == 0 else {
            throw broken(isPreparing ? .dataBeforeAnswer : .initOutOfOrder, .invalidState)
        }
        stage = .receivingInit
        stay(from: now)
        guard initBytes.count + bytes.count <= personality.initMaximum else { throw .operationFailed }
        initBytes += bytes
        guard personality.hasBareInit, initBytes.count > 1 else { return }
        announcedChecksum = UInt16(initBytes[0]) | UInt16(initBytes[1]) << 8
    }

    private mutating func receiveImage(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        guard bytes.count.isMultiple(of: 4) else {
            return refuse(broken(.packetNotWholeWords, .notSupported), at: now)
        }
        guard flash.waitingWrites < personality.packetBuffers else {
            guard personality.overrun == .stalls else { return refuse(.operationFailed, at: now) }
            statistics.packetsDropped += 1
            stage = .stalled
            return []
        }
        switch Self.status({ () throws(LegacyStatus) in try takeImage(bytes, at: now) }) {
        case .success where received == announcement?.total:
            return [answer(0x03, .success, at: flash.idle(at: now))]
        case .success: return countPacket(at: now)
        case let status: return refuse(status, at: now)
        }
    }

    private mutating func takeImage(_ bytes: [UInt8], at now: Duration) throws(LegacyStatus) {
        if stage == .ready || stage == .receivingInit, !personality.needsInit { stage = .receivingImage }
        guard stage == .receivingImage, let announcement else {
            throw broken(isPreparing ? .dataBeforeAnswer : .dataBeforeInit, .invalidState)
        }
        guard !isOverfull, received + bytes.count <= announcement.total else {
            isOverfull = true
            throw broken(.dataBeyondImage, .sizeExceedsLimit)
        }
        stay(from: now)
        if !bytes.isEmpty { _ = flash.append(.write(bytes, at: place + received), at: now) }
        received += bytes.count
    }

    /// Whether it is still erasing, before the response to Start.
    private var isPreparing: Bool { if case .preparing = stage { true } else { false } }

    private mutating func refuse(_ status: LegacyStatus, at now: Duration) -> [FirmwareReaction] {
        statistics.packetsDropped += 1
        return [answer(0x03, status, at: now)]
    }

    /// Counts a packet towards the receipt, which is sent when a packet is accepted, not when it is in flash.
    private mutating func countPacket(at now: Duration) -> [FirmwareReaction] {
        guard notificationInterval > 0 else { return [] }
        packetsUntilNotification -= 1
        guard packetsUntilNotification == 0 else { return [] }
        packetsUntilNotification = notificationInterval
        var writer = ByteWriter([0x11])
        writer.integer(
            personality.hasShortReceipts
                ? UInt32(UInt16(truncatingIfNeeded: received)) : UInt32(truncatingIfNeeded: received))
        return [.notify(writer.bytes, at: now)]
    }
}
