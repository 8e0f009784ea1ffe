import Bluetooth
import Bytes
import UpdateModel

/// A request to the Legacy control point (nordic-legacy.md, Layout).
enum LegacyRequest: Equatable, Sendable {
    /// Announces the images, whose sizes follow as a packet; `mode` is nil for a device from before SDK 7.
    case start(mode: UInt8?)
    case beginInit(isOld: Bool)
    case completeInit
    case setReceipts(UInt16)
    case receive
    case validate
    case activate
    case reset
    case report

    /// Deadlines fit the device's work: Start erases all pages, at 22 to 90 ms each; Validate reads the whole image.
    private var form: (opcode: UInt8, parameters: [UInt8], deadline: Duration, step: String) {
        switch self {
        case .start(let mode): (0x01, mode.map { [$0] } ?? [], .seconds(30), "starting the update")
        case .beginInit(let isOld): (0x02, isOld ? [] : [0], .seconds(10), "checking the init packet")
        case .completeInit: (0x02, [1], .seconds(10), "checking the init packet")
        case .receive: (0x03, [], .seconds(10), "transferring")
        case .validate: (0x04, [], .seconds(20), "checking the whole image")
        case .activate: (0x05, [], .seconds(3), "activating")
        case .reset: (0x06, [], .seconds(3), "restarting the bootloader")
        case .report: (0x07, [], .seconds(3), "asking for the number of received bytes")
        case .setReceipts(let count): (0x08, count.bytes(), .seconds(3), "setting the receipt interval")
        }
    }

    var opcode: UInt8 { form.opcode }
    var bytes: [UInt8] { [opcode] + form.parameters }
    var deadline: Duration { form.deadline }
    var step: String { form.step }
}

/// The GATT attributes of Nordic Legacy DFU, the same in bootloaders and applications (nordic-legacy.md, Layout).
enum LegacyService {
    static let uuid = vendor(0x1530)
    /// Requests by write, responses by notification.
    static let controlPoint = Characteristic(uuid, vendor(0x1531))
    /// Sizes, init packet and image, by write without response.
    static let packet = Characteristic(uuid, vendor(0x1532))
    /// The DFU version, two bytes: minor, then major. Absent in bootloaders before SDK 7.
    static let version = Characteristic(uuid, vendor(0x1534))

    /// The version that applications show: 0.1.
    static let applicationVersion: [UInt8] = [1, 0]
    /// The versions that bootloaders show: 0.5 to 0.8.
    static let bootloaderVersions: [[UInt8]] = (5...8).map { [$0, 0] }
    /// GAP, GATT and DFU: a device without a version and with more services than these runs an application
    /// (Android-DFU-Library, `LegacyButtonlessDfuImpl.java`).
    static let bootloaderServices = 3

    /// Distinguishes a program that takes updates from an application that has the control point only to enter the
    /// bootloader. From SDK 7 on, which introduced the version, a bootloader's address is above its application's.
    static let targetSignature = TargetSignature(
        controlPoint, version: version,
        receiver: { sign in
            let receiver = sign.receiver(of: uuid)
            guard let version = sign.version.map({ Array($0.prefix(2)) }) else {
                return sign.services.count <= bootloaderServices ? receiver : nil
            }
            guard version != applicationVersion else { return nil }
            // A version that no bootloader has was set by the author of an application.
            return receiver == .either && !bootloaderVersions.contains(version) ? .application : receiver
        }, isAbove: { $0.version != nil })

    private static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }
}

/// A notification of the Legacy control point (nordic-legacy.md, Layout).
///
///     0  1  10, a response
///     1  1  opcode of the request
///     2  1  status; 01 is success
///     3  4  bytes received, where opcode and status are 07 01
///
///     0  1  11, a receipt
///     1  4  bytes received
///
/// Bytes after these are ignored.
enum LegacyAnswer: Equatable, Sendable {
    case status(UInt8, of: UInt8)
    /// The number of image bytes received, in response to a request.
    case count(UInt32)
    /// The number of image bytes received, sent after every n packets.
    case receipt(UInt32)

    static let success: UInt8 = 0x01

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let start = reader.offset
        let marker: UInt8 = try reader.integer("response marker")
        switch marker {
        case 0x10:
            let opcode: UInt8 = try reader.integer("request opcode")
            let status: UInt8 = try reader.integer("status")
            guard opcode == LegacyRequest.report.opcode, status == Self.success else {
                self = .status(status, of: opcode)
                return
            }
            self = .count(try reader.integer("bytes received"))
        case 0x11: self = .receipt(try reader.integer("bytes received"))
        default:
            throw ByteError(
                offset: start, field: "response marker",
                reason: .mismatch(expected: 0x10, found: UInt64(marker)))
        }
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do { try self.init(parsing: &reader) } catch { return nil }
    }
}
