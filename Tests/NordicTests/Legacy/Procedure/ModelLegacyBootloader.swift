import TestSupport

/// A Legacy bootloader written from nordic-legacy.md alone: SDK 9 to 11, or from before SDK 7. It keeps its state over
/// a lost link, and forgets everything in a restart.
struct ModelLegacyBootloader {
    private enum State { case idle, started, receiving, complete, validated }

    /// Knows only the Start without a mode, one size, and a CRC16 for an init packet.
    let isOld: Bool
    /// The capacity in bytes.
    var room = 1 << 20
    /// The image that Activate installed, and its init packet.
    private(set) var installed: [UInt8]?
    private(set) var installedWith: [UInt8] = []
    private(set) var restarts = 0
    private var state = State.idle
    private var cargo: UInt8 = 0
    private var isReceiving: Bool { state == .receiving }
    private var total = 0
    private var data: [UInt8] = []
    private var initPacket: [UInt8] = []
    private var isInitValid = false
    private var interval = 0
    private var counter = 0

    init(isOld: Bool = false) { self.isOld = isOld }

    mutating func restart() {
        restarts += 1
        let kept = (installed, installedWith, restarts, room)
        self = ModelLegacyBootloader(isOld: isOld)
        (installed, installedWith, restarts, room) = kept
    }

    /// Handles a request; returns the immediate notification.
    mutating func write(_ request: [UInt8]) -> [UInt8]? {
        let opcode = request.first ?? 0
        switch (opcode, request.count) {
        case (1, 2), (1, 1): cargo = 1
        case (2, 1) where isOld:
            initPacket = []
            cargo = 2
        case (2, 2) where request[1] == 0:
            initPacket = []
            cargo = 2
        case (2, 2):
            guard state == .started else { return [0x10, 2, 2] }
            isInitValid = !initPacket.isEmpty
            return [0x10, 2, isInitValid ? 1 : 6]
        case (3, 1):
            guard state == .started, isInitValid || isOld else { return [0x10, 3, 2] }
            state = .receiving
            cargo = 3
        case (4, 1):
            guard state == .complete else { return [0x10, 4, 2] }
            state = .validated
            return [0x10, 4, 1]
        case (5, 1):
            guard state == .validated else { break }
            (installed, installedWith) = (data, initPacket)
        case (6, 1): restart()
        case (7, 1): return [0x10, 7, 1] + UInt32(data.count).bytes
        case (8, 3):
            interval = Int(request[1]) | Int(request[2]) << 8
            counter = interval
        default: return [0x10, opcode, 3]
        }
        return nil
    }

    /// Handles a packet; returns the resulting notification.
    mutating func receive(_ packet: [UInt8]) -> [UInt8]? {
        switch cargo {
        case 1:
            cargo = 0
            return [0x10, 1, start(packet)]
        case 2:
            initPacket += packet
            guard isOld else { return nil }
            cargo = 0
            isInitValid = packet.count == 2
            return [0x10, 2, isInitValid ? 1 : 6]
        case 3 where isReceiving: return take(packet)
        default: return [0x10, 3, 2]
        }
    }

    private mutating func start(_ packet: [UInt8]) -> UInt8 {
        guard packet.count == (isOld ? 4 : 12) else { return 3 }
        guard state == .idle else { return 2 }
        let sizes = stride(from: 0, to: packet.count, by: 4).map {
            packet[$0..<$0 + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard sizes.allSatisfy({ $0.isMultiple(of: 4) }) else { return 3 }
        total = sizes.reduce(0, +)
        guard total <= room else { return 4 }
        data = []
        state = .started
        return 1
    }

    private mutating func take(_ packet: [UInt8]) -> [UInt8]? {
        guard packet.count.isMultiple(of: 4), packet.count <= 20 else { return [0x10, 3, 3] }
        guard data.count + packet.count <= total else { return [0x10, 3, 4] }
        data += packet
        guard data.count < total else {
            state = .complete
            return [0x10, 3, 1]
        }
        guard interval > 0 else { return nil }
        counter -= 1
        guard counter == 0 else { return nil }
        counter = interval
        return [0x11] + UInt32(data.count).bytes
    }
}
