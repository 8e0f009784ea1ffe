public import Bluetooth
import Bytes

public struct FBeaconDescription: FlashDescription {
    public let address: DeviceAddress
    /// The content of its frames. The version in them is always the installed application's, and `access` determines
    /// whether they announce a PIN.
    public var advertiser: FeasycomAdvertiser
    public var plan: AdvertisingPlan
    public var rssi: Int8 = -50
    /// The factory application.
    public var firmware = FBeaconFirmware()
    public var bootloader: UInt16 = 651
    package var access = FBeaconAccess()
    package var answers = FBeaconAnswers()
    /// The number of broadcasts, up to 10; with 0, the device knows neither `BADVDATA` nor `TLM`.
    public var broadcasts = 10
    package var entry = FBeaconEntry()
    package var transfer = FBeaconTransfer()
    package var images = FBeaconImages.any(version: 831)
    /// The largest MTU that it agrees on; devices with 23, 185 and 247 are known.
    public var maximumMTU = 247
    /// Whether the characteristic FFF3 exists; what it sends is not public, so it sends nothing here.
    public var hasFlowControl = false
    /// Whether it announces that it accepts open containers, which no device of the vendor does.
    public var isOpen = true
    public var timing = FlashTiming.stock
    /// The maximum image size in bytes, a multiple of a page.
    public var maximumImageSize = 128 * 1024
    public var startTime = Duration.milliseconds(500)

    package var flashSize: Int { 3 * FlashModel.pageSize + 2 * maximumImageSize }

    /// A BP102 at `address` that runs version 830.
    public init(address: DeviceAddress) {
        self.address = address
        advertiser = FeasycomAdvertiser(address: address)
        plan = AdvertisingPlan(advertiser)
    }
}

extension AttributeTable {
    /// The service of commands and updates (fbeacon.md, Attributes).
    package static let fbeaconService = BluetoothUUID(0xFFF0)
    package static let fbeaconAnswers = BluetoothUUID(0xFFF1)
    package static let fbeaconCommands = BluetoothUUID(0xFFF2)
    package static let fbeaconFlowControl = BluetoothUUID(0xFFF3)

    /// The mark of a device that accepts open containers (fbeacon.md, Open devices).
    package static let fbeaconOpenMark = BluetoothUUID(
        high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001)

    static func fbeacon(
        _ description: FBeaconDescription, _ advertiser: FeasycomAdvertiser
    ) -> AttributeTable {
        let information = advertiser.information.sorted { $0.key < $1.key }
        return AttributeTable([
            .genericAccess(advertiser.name), .readable(0x180A, information),
            Service(
                fbeaconService,
                [
                    Entry(fbeaconAnswers, .notify),
                    Entry(
                        fbeaconCommands, [.write, .writeCommand], maximumLength: description.maximumMTU - 3),
                ] + (description.hasFlowControl ? [Entry(fbeaconFlowControl, .notify)] : [])
                    + (description.isOpen
                        ? [Entry(fbeaconOpenMark, .read, value: [1, description.entry.restoringCharacter])]
                        : [])),
        ])
    }
}

/// How a Feasycom beacon enters an update (fbeacon.md, Entering).
package struct FBeaconEntry: Hashable, Sendable {
    /// The digit of EnterDFU, 0 or 1, that restores the default settings after the update; nil if neither does. Public
    /// sources disagree.
    package var restoringDigit: UInt8?
    /// That digit in the mark of open containers: an ASCII character, or 0 for none.
    var restoringCharacter: UInt8 { restoringDigit.map { $0 + 0x30 } ?? 0 }
    /// The response that refuses to enter an update; nil to enter.
    package var refusal: String?
    /// How many bytes of its response it sends; nil for all. After an incomplete response it does not enter an update.
    package var length: Int?
    /// The version and the model in the response; nil for the real ones.
    package var version: UInt16?
    package var model: UInt16?
    /// Whether the update continues over the same link; nil if that depends on the model.
    package var staysConnected: Bool?
    /// How long it waits for the client to end the link, if the update needs a new one, before it ends the link itself.
    package var linkEndsAfter = Duration.seconds(2)

    /// The models whose updates continue over the same link.
    static let stayingModels: Set<UInt8> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    /// `OK`, and three fields of four hexadecimal digits, each low byte first.
    func answer(version: UInt16, bootloader: UInt16, model: UInt16) -> String {
        [self.version ?? version, bootloader, self.model ?? model].reduce("OK,") { text, field in
            text + field.bytes().reduce("") { $0 + Self.digits($1 >> 4) + Self.digits($1 & 15) }
        }
    }

    private static func digits(_ nibble: UInt8) -> String { String(nibble, radix: 16, uppercase: true) }
}
