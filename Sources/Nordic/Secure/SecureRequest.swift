import Bytes

/// Types of objects (nordic-secure.md, Conversation).
enum SecureObject: UInt8, Sendable {
    case command = 1
    case data = 2
}

/// A request to the control point, with its step name and its timeout (nordic-secure.md, Conversation).
///
///     0  1  opcode
///     1  …  parameters, little-endian
///
/// The timeouts allow for the device's work and for a slow link: erasing a page takes 90 ms, an object's flash writes
/// 230 ms, checking a signature or hashing an image up to seconds.
enum SecureRequest: Equatable, Sendable {
    case setReceipts(UInt16)
    case select(SecureObject)
    case create(SecureObject, size: UInt32)
    case checksum
    case execute(SecureObject, isLast: Bool)
    /// An Execute with nothing to execute, which is acknowledged when the flash is idle.
    case flashBarrier
    /// Reads the protocol version: answered from SDK 15 on, if only with "not supported".
    case protocolVersion

    static let executeOpcode: UInt8 = 0x04

    var opcode: UInt8 {
        switch self {
        case .protocolVersion: 0x00
        case .create: 0x01
        case .setReceipts: 0x02
        case .checksum: 0x03
        case .execute, .flashBarrier: Self.executeOpcode
        case .select: 0x06
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter([opcode])
        switch self {
        case .setReceipts(let count): writer.integer(count)
        case .select(let object): writer.integer(object.rawValue)
        case .create(let object, let size):
            writer.integer(object.rawValue)
            writer.integer(size)
        case .checksum, .execute, .flashBarrier, .protocolVersion: break
        }
        return writer.bytes
    }

    var waitsForFlash: Bool {
        switch self {
        case .execute(.data, _), .flashBarrier: true
        default: false
        }
    }

    var isWork: Bool { opcode == Self.executeOpcode }

    var deadline: Duration {
        switch self {
        case .setReceipts, .select, .checksum, .protocolVersion: .seconds(3)
        case .create: .seconds(5)
        case .execute(_, isLast: false), .flashBarrier: .seconds(10)
        case .execute(_, isLast: true): .seconds(20)
        }
    }

    var step: String {
        switch self {
        case .setReceipts: "setting the receipt interval"
        case .select(.command): "asking for the stored init packet"
        case .select(.data): "asking for the stored firmware"
        case .create(.command, _): "announcing the init packet"
        case .create(.data, _): "announcing a data object"
        case .checksum: "comparing checksums"
        case .execute(.command, _): "checking the init packet"
        case .execute(.data, isLast: false): "writing a data object"
        case .execute(.data, isLast: true): "checking the whole image"
        case .flashBarrier: "waiting for the flash"
        case .protocolVersion: "asking for the protocol version"
        }
    }
}
