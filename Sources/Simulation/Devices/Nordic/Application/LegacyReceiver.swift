import Bluetooth
import Bytes

/// An application that receives Legacy DFU itself, like that of a watch in the field, as a value: requests and packets
/// in, reactions out, time as an argument (nordic-legacy.md, Applications that take updates).
///
/// The image is written to serial flash, separate from the running one; the loader installs it at the next start.
/// The times that it is given must not decrease.
struct LegacyReceiver: Bootloader {
    enum Stage: Hashable, Sendable {
        case idle, awaitingSizes
        case erasing(until: Duration)
        case awaitingInit, receiving, complete, validated, restarting
    }

    /// The sectors of the second slot, all of which are erased, whatever the size of the image.
    static let erasedSectors = 116
    /// The end of the second slot, from the start of the application.
    static let end = bankOffset + erasedSectors * FlashModel.pageSize
    /// The delay of the responses to the init packet and to Validate, which come from a timer.
    static let answerDelay = Duration.seconds(1)
    /// The application drops the update if its service is not accessed for this long.
    static let timeout = Duration.milliseconds(9800)
    /// The longest packet in bytes; a longer one fails an assertion in the application, which resets.
    static let longestPacket = 20
    /// The offset of the second slot from the application's start, in bytes.
    static let bankOffset = 0x80000

    let identity: BootloaderIdentity
    let receiver: ApplicationReceiver
    var settings: BootloaderSettings
    var flash: FlashModel
    var statistics = BootloaderStatistics()
    private(set) var stage = Stage.idle
    private var lastAccess = Duration.zero
    private var expectsInit = false
    private var size = 0
    private var received = 0
    private var version: UInt32 = 0
    private var checksum: UInt16 = 0
    private var receiptInterval = 0
    private var packets = 0

    init(
        _ receiver: ApplicationReceiver, _ identity: BootloaderIdentity, settings: BootloaderSettings,
        timing: FlashTiming
    ) {
        (self.receiver, self.identity, self.settings) = (receiver, identity, settings)
        flash = FlashModel(timing: timing, capacity: .max, cells: .bytes)
    }

    var settledSettings: BootloaderSettings { settings }
    var acceptedBytes: Int { received }
    var memory: BootloaderMemory { BootloaderMemory(settings) }
    /// Nil: the device does not reset when it drops an update.
    var inactivityDeadline: Duration? { nil }

    func presence(name: String) -> BootloaderPresence { BootloaderPresence(maximumMTU: 256) }

    mutating func disconnect(at now: Duration) { advance(to: now) }
    mutating func stay(from moment: Duration) {}

    mutating func accessed(at now: Duration) {
        advance(to: now)
        lastAccess = now
    }

    /// Whether a write to the control point gets a response: the restart by Activate may come first.
    func answers(_ request: [UInt8]) -> Bool {
        request.first != 0x05 || stage != .validated || receiver.answersActivation
    }

    /// A request that is unknown or out of order gets no response at all.
    mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        accessed(at: now)
        switch (request.first, stage) {
        case (0x01, .idle):
            guard request.count > 1, request[1] == 0x04 else { return [answer(0x01, .notSupported, at: now)] }
            stage = .awaitingSizes
        case (0x02, .awaitingInit):
            expectsInit = request.count < 2 || request[1] != 0x01
            return expectsInit ? [] : [answer(0x02, .success, at: now + Self.answerDelay)]
        case (0x08, .awaitingInit): receiptInterval = request.count > 1 ? Int(request[1]) : 0
        case (0x03, .awaitingInit):
            stage = .receiving
            received = 0
            packets = 0
        case (0x04, .complete): return validate(at: now)
        case (0x05, .validated):
            stage = .restarting
            return [.reset(at: now + (receiver.answersActivation ? .milliseconds(20) : .zero))]
        default: break
        }
        return []
    }

    mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        accessed(at: now)
        statistics.packetsReceived += 1
        guard bytes.count <= Self.longestPacket else { return [.reset(at: now)] }
        switch stage {
        case .awaitingSizes: return erase(for: bytes, at: now)
        case .awaitingInit where expectsInit:
            takeInit(bytes)
            return []
        case .receiving: return receive(bytes, at: now)
        default:
            statistics.packetsDropped += 1
            return []
        }
    }

    mutating func reset(at now: Duration, entering isEntryRequested: Bool) -> Restart {
        flash.advance(to: now)
        flash.dropQueue()
        var time = Duration.zero
        if stage == .restarting, !flash.keepsOldApplication {
            let start = identity.layout.applicationStart
            flash.place(flash.content(bank..<bank + size), at: start)
            settings.applicationSize = size
            settings.applicationVersion = version
            time = (flash.timing.pageErase + flash.timing.pageProgram) * FlashModel.pages(in: size)
        }
        forget()
        return Restart(program: .application, time: time, continues: false)
    }

    private var bank: Int { identity.layout.applicationStart + Self.bankOffset }

    mutating func advance(to now: Duration) {
        flash.advance(to: now)
        if case .erasing(let moment) = stage, moment <= now { stage = .awaitingInit }
        if stage != .idle, stage != .restarting, now - lastAccess >= Self.timeout { forget() }
    }

    private mutating func forget() {
        stage = .idle
        expectsInit = false
        received = 0
    }

    private mutating func erase(for bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        guard bytes.count == 12 else { return [] }
        size = bytes.field(8, 4)
        for sector in 0..<Self.erasedSectors {
            _ = flash.append(.erase(bank + sector * FlashModel.pageSize), at: now)
        }
        let end = flash.idle(at: now)
        stage = .erasing(until: end)
        lastAccess = end
        return [answer(0x01, .success, at: end)]
    }

    /// The init packet must come in one packet; a later one replaces it.
    private mutating func takeInit(_ bytes: [UInt8]) {
        guard let packet = LegacyInitPacket(bytes) else { return }
        version = packet.version
        checksum = packet.number(at: 0, 2).map { UInt16(truncatingIfNeeded: $0) } ?? 0
    }

    private mutating func receive(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        _ = flash.append(.write(bytes, at: bank + received), at: now)
        received += bytes.count
        packets += 1
        if received >= size {
            stage = .complete
            return [answer(0x03, .success, at: now)]
        }
        guard receiptInterval > 0, packets.isMultiple(of: receiptInterval) else { return [] }
        return [.notify([0x11] + UInt32(truncatingIfNeeded: received).bytes(), at: now)]
    }

    /// A wrong checksum is never reported: the response waits for a timer that is stopped before it expires.
    private mutating func validate(at now: Duration) -> [FirmwareReaction] {
        flash.advance(to: flash.idle(at: now))
        guard received == size, CRC16.checksum(flash.content(bank..<bank + size), from: 0xFFFF) == checksum
        else {
            forget()
            return []
        }
        stage = .validated
        return [answer(0x04, .success, at: now + Self.answerDelay)]
    }
}
