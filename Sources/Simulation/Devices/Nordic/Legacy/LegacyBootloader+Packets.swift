import Bluetooth
import Bytes

extension LegacyBootloader {
    /// Processes a write to the Packet characteristic; the last request defines its meaning.
    package mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard stage != .closing, stage != .stalled else { return [] }
        guard !isInactive(at: now) else { return leave(at: now) }
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
            let announcement = try LegacyAnnouncement(bytes, mode: mode, isShort: personality.hasShortStart)
            try announcement.check()
            let target = try identity.layout.legacyPlace(for: announcement, twoBanks: personality.hasTwoBanks)
            guard stage == .idle else {
                throw hasStartedHere ? broken(.startAgain, .invalidState) : .invalidState
            }
            stay(from: now)
            hasStartedHere = true
            self.announcement = announcement
            place = target.address
            for page in 0..<FlashModel.pages(in: target.erasing) {
                _ = flash.append(.erase(target.address + page * FlashModel.pageSize), at: now)
            }
            let erased = flash.idle(at: now)
            stage = .preparing(until: erased)
            advance(to: now)
            return [answer(0x01, .success, at: erased)]
        } catch {
            // A device with short Starts reveals its dialect only in the response to one: a wrong Start breaks no rule.
            if error != .invalidState, !personality.hasShortStart {
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
            throw broken(isPreparing ? .dataBeforeAnswer : .initPacketOutOfOrder, .invalidState)
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
            guard personality.stallsAtOverrun else { return refuse(.operationFailed, at: now) }
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
        let count = personality.hasShortReceipts ? received & 0xFFFF : received
        return [.notify([0x11] + UInt32(truncatingIfNeeded: count).bytes(), at: now)]
    }

    /// Processes a write to the Control Point.
    ///
    ///     0  1  opcode
    ///     1  …  fields, little-endian
    package mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard stage != .closing, let opcode = request.first else { return [] }
        guard !isInactive(at: now) else { return leave(at: now) }
        if stage == .stalled, opcode != 0x06 { return [] }
        switch opcode {
        case 0x01:
            guard request.count > 1 || personality.hasShortStart else {
                return [answer(opcode, broken(.requestOfWrongLength, .operationFailed), at: now)]
            }
            expected = .start
            mode = request.count > 1 ? request[1] : 0
            return []
        case 0x02:
            guard request.count > 1 || personality.hasBareInit else {
                return [answer(opcode, broken(.requestOfWrongLength, .operationFailed), at: now)]
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
            let count = UInt32(truncatingIfNeeded: received).bytes()
            return [.notify([0x10, opcode, LegacyStatus.success.rawValue] + count, at: now)]
        case 0x08:
            guard request.count > 2 else {
                return [answer(opcode, broken(.requestOfWrongLength, .notSupported), at: now)]
            }
            notificationInterval = UInt16(request[1]) | UInt16(request[2]) << 8
            packetsUntilNotification = notificationInterval
            return []
        default: return [answer(opcode, broken(.unknownRequest, .notSupported), at: now)]
        }
    }

    /// Checks the complete init packet; a refused one may be sent again without a reset.
    private mutating func finishInit() throws(LegacyStatus) {
        guard stage == .receivingInit, received == 0 else {
            throw broken(.initPacketOutOfOrder, .invalidState)
        }
        let bytes = initBytes
        initBytes = []
        initPacket = try check.accept(bytes, for: announcement?.mode ?? 0)
        initBytes = bytes
        stage = .receivingImage
    }

    /// Verifies what is in flash now: an image whose last packets still wait for flash fails.
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

    mutating func leave(at now: Duration) -> [FirmwareReaction] {
        stage = .closing
        return [.disconnect(at: now), .reset(at: now)]
    }

    mutating func broken(_ rule: LegacyRule, _ status: LegacyStatus) -> LegacyStatus {
        statistics.note(rule)
        return status
    }

    static func status(_ body: () throws(LegacyStatus) -> Void) -> LegacyStatus {
        do { try body() } catch { return error }
        return .success
    }
}

/// The third byte of a response (nRF5 SDK 11, `ble_dfu.h`).
package enum LegacyStatus: UInt8, Error, Hashable, Sendable {
    case success = 1
    case invalidState = 2
    case notSupported = 3
    case sizeExceedsLimit = 4
    case checksumError = 5
    case operationFailed = 6
}

extension Bootloader {
    func answer(_ opcode: UInt8, _ status: LegacyStatus, at moment: Duration) -> FirmwareReaction {
        .notify([0x10, opcode, status.rawValue], at: moment)
    }
}

enum LegacyRule: String, ClientRule {
    case unknownRequest, requestOfWrongLength, startAgain, malformedStart, initPacketOutOfOrder,
        dataWithoutRequest, dataBeforeInit, dataBeforeAnswer, packetNotWholeWords, dataBeyondImage,
        validateBeforeAllData, activateBeforeValidate

    static let prefix = "legacy-"
    static let page = "nordic-legacy.md,"

    var broken: BrokenRule {
        switch self {
        case .unknownRequest: rule("a request that does not exist", "Refusals")
        case .requestOfWrongLength: rule("a request without its parameter", "Layout")
        case .startAgain: rule("a second Start on one link; only a reset recovers from it", "Conversation")
        case .malformedStart: rule("invalid sizes, or sizes that do not fit in this beacon", "Layout")
        case .initPacketOutOfOrder: rule("an init packet before Start was answered, or again", "Conversation")
        case .dataWithoutRequest: rule("a packet before any request that defines its meaning", "Conversation")
        case .dataBeforeInit: rule("a packet of the image before the init packet", "Conversation")
        case .dataBeforeAnswer: rule("a packet before the answer to Start", "Conversation")
        case .packetNotWholeWords: rule("an image packet that is not a multiple of 4 bytes", "Layout")
        case .dataBeyondImage: rule("more bytes than were announced", "Conversation")
        case .validateBeforeAllData: rule("Validate before the image has arrived", "Conversation")
        case .activateBeforeValidate:
            rule("Activate without a successful Validate; it is just a reset", "Conversation")
        }
    }
}
