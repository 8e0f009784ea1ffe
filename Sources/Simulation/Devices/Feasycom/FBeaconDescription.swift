public import Bluetooth

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
    public var room = 128 * 1024
    public var startTime = Duration.milliseconds(500)

    package var flashSize: Int { 3 * FlashModel.pageSize + 2 * room }

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
