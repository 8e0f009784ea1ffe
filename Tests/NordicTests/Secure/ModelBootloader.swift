import Bytes
import TestSupport

/// A bootloader written from nordic-secure.md, Conversation alone: keeps everything over a lost link, and accepts any
/// init packet.
struct ModelBootloader {
    let imageSize: Int
    var commandMaximum = 512
    var dataMaximum = 4096
    private(set) var command: [UInt8] = []
    private(set) var data: [UInt8] = []
    /// Bytes that came outside a created object.
    private(set) var excess = 0
    private(set) var isFinished = false
    private var commandSize = 0
    private var dataSize = 0
    private var executed = 0
    private var current: UInt8 = 1
    private var isInitValid = false
    private var interval = 0
    private var counter = 0

    init(imageSize: Int) { self.imageSize = imageSize }

    private var progress: [UInt8] {
        let held = current == 1 ? command : data
        return UInt32(held.count).bytes + CRC32.checksum(held).bytes
    }

    /// The answer to a request.
    mutating func answer(_ request: [UInt8]) -> [UInt8] {
        let opcode = request.first ?? 0
        return [0x60, opcode] + result(opcode, Array(request.dropFirst()))
    }

    private mutating func result(_ opcode: UInt8, _ body: [UInt8]) -> [UInt8] {
        switch (opcode, body.count) {
        case (0x02, 2):
            interval = Int(body[0]) | Int(body[1]) << 8
            counter = interval
            return [1]
        case (0x06, 1):
            guard (1...2).contains(body[0]) else { return [5] }
            current = body[0]
            return [1] + UInt32(current == 1 ? commandMaximum : dataMaximum).bytes + progress
        case (0x01, 5):
            counter = interval
            return [create(body[0], body[1...].reversed().reduce(0) { $0 << 8 | Int($1) })]
        case (0x03, 0): return [1] + progress
        case (0x04, 0): return execute()
        default: return [3]
        }
    }

    private mutating func create(_ type: UInt8, _ size: Int) -> UInt8 {
        guard size > 0 else { return 3 }
        switch type {
        case 1:
            guard size <= commandMaximum else { return 4 }
            (command, commandSize, isInitValid, data, dataSize, executed) = ([], size, false, [], 0, 0)
        case 2:
            guard isInitValid else { return 8 }
            guard (dataMaximum > 0 && size % dataMaximum == 0) || executed + size == imageSize else {
                return 3
            }
            guard size <= dataMaximum else { return 4 }
            guard executed + size <= imageSize else { return 8 }
            data = Array(data.prefix(executed))
            dataSize = size
        default: return 5
        }
        current = type
        return 1
    }

    private mutating func execute() -> [UInt8] {
        if current == 1 {
            guard !command.isEmpty, command.count == commandSize else { return [8] }
            isInitValid = true
            return [1]
        }
        guard isInitValid else { return [0x0B, 0x0C] }
        guard data.count - executed == dataSize else { return [8] }
        executed = data.count
        dataSize = 0
        isFinished = executed == imageSize
        return [1]
    }

    /// Handles a packet; returns a receipt when one is due.
    mutating func receive(_ packet: ArraySlice<UInt8>) -> [UInt8]? {
        if current == 1 {
            if command.count + packet.count <= commandSize {
                command += packet
            } else {
                excess += packet.count
            }
        } else if data.count - executed + packet.count <= dataSize {
            data += packet
        } else {
            excess += packet.count
        }
        return countPacket()
    }

    /// Counts a packet that is dropped.
    mutating func countPacket() -> [UInt8]? {
        guard interval > 0 else { return nil }
        counter -= 1
        guard counter <= 0 else { return nil }
        counter = interval
        return [0x60, 3, 1] + progress
    }
}
