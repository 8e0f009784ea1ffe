package import Bluetooth
import Bytes

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
    /// Reads the protocol version. SDK 15 and later answer, even if with "not supported".
    case protocolVersion

    static let executeOpcode: UInt8 = 0x04

    private var form: (opcode: UInt8, parameters: [UInt8], deadline: Duration, step: String) {
        switch self {
        case .protocolVersion: (0x00, [], .seconds(3), "asking for the protocol version")
        case .create(let object, let size):
            (
                0x01, [object.rawValue] + size.bytes(), .seconds(5),
                object == .command ? "announcing the init packet" : "announcing a data object"
            )
        case .setReceipts(let count): (0x02, count.bytes(), .seconds(3), "setting the receipt interval")
        case .checksum: (0x03, [], .seconds(3), "comparing checksums")
        case .execute(let object, let isLast):
            (
                Self.executeOpcode, [], .seconds(isLast ? 20 : 10),
                object == .command
                    ? "checking the init packet"
                    : isLast ? "checking the whole image" : "writing a data object"
            )
        case .flashBarrier: (Self.executeOpcode, [], .seconds(10), "waiting for the flash")
        case .select(let object):
            (
                0x06, [object.rawValue], .seconds(3),
                object == .command ? "asking for the stored init packet" : "asking for the stored firmware"
            )
        }
    }

    var opcode: UInt8 { form.opcode }
    var bytes: [UInt8] { [opcode] + form.parameters }
    var deadline: Duration { form.deadline }
    var step: String { form.step }
    var isExecute: Bool { opcode == Self.executeOpcode }

    var waitsForFlash: Bool {
        switch self {
        case .execute(.data, _), .flashBarrier: true
        default: false
        }
    }
}

package enum SecureService {
    /// The service of the bootloader, and of applications with a buttonless characteristic.
    package static let uuid = BluetoothUUID(0xFE59)
    /// Requests by write, responses by notification. Only programs that take updates have it.
    package static let controlPoint = Characteristic(uuid, vendor(0x0001))
    /// Init packet and image, by write without response.
    package static let packet = Characteristic(uuid, vendor(0x0002))

    static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x8EC9_0000_F315_4F60 | number << 32, low: 0x9FB8_8388_30DA_EA50)
    }
}
