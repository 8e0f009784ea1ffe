public import Bluetooth

/// The profile of a SUOTA receiver: the differences between chips and SDKs, as data (dialog-suota.md, Receivers 58x,
/// Receivers 68x and 69x).
public struct SUOTAPersonality: Hashable, Sendable {
    /// The image format of a chip, and how it receives images.
    public enum Family: String, CaseIterable, Hashable, Sendable {
        /// DA14580, 581, 583, 585, 586, 530 and 531: blocks into one of two banks.
        case da1458x = "58x"
        /// DA1468x: a stream into a partition that a loader copies.
        case da1468x = "68x"
        /// DA1469x: a stream into a partition; the flash header tells the boot code which partition to start.
        case da1469x = "69x"

        private var header: (signature: [UInt8], size: Int) {
            switch self {
            case .da1458x: ([0x70, 0x51], 64)
            case .da1468x: ([0x70, 0x61], 36)
            case .da1469x: ([0x51, 0x71], 34)
            }
        }

        var signature: [UInt8] { header.signature }
        var headerSize: Int { header.size }
    }

    package var family: Family
    /// The Model Number that the reference firmware reports.
    package var chip: String
    /// The value of VERSION, 13 for SUOTA 1.3. Nil on receivers before 1.3, which have none of the characteristics
    /// VERSION, PATCH_DATA_CHAR_SIZE and MTU.
    package var version: UInt8?
    /// The longest write to PATCH_DATA, in bytes.
    package var patchDataSize: Int
    package var maximumMTU = 247
    /// The PSM of the L2CAP channel that the receiver accepts after a start; nil without a channel.
    package var psm: UInt16?
    /// The longest SDU of that channel in bytes (MTU of the channel).
    package var channelMTU = 247
    /// The initial credits of that channel: the number of packets that the receiver can buffer.
    package var channelCredits = 6
    /// The longest block, in bytes.
    package var blockBuffer: Int
    /// 58x: the flash address where the firmware expects the product header.
    package var productHeader = 0x38000
    /// The flash addresses of the two banks; on 68x and 69x, of the two partitions.
    package var banks = [0x4000, 0x1F000]
    /// The size of the flash in bytes.
    package var flashSize = 0x40000
    /// 58x: whether sectors are erased when a write reaches them, instead of all before the first write.
    package var erasesOnTheWay = true
    /// 58x: whether I2C support is built in. An END without a start writes to I2C: the status is 0x06 without support.
    package var hasI2C = true
    /// 68x and 69x: the highest sum of an image's code offset and code size, in bytes; on a 58x the bank is the limit.
    package var largestImage = Int.max
    package var timing = FlashTiming.serial
    /// The time from a reset until the firmware advertises.
    package var startTime = Duration.milliseconds(500)
    /// The number of starts without ABORT that exhaust the memory of a 68x.
    package var spareBuffers = 8

    /// DA14580 with SDK 3: SUOTA 1.0, 20-byte writes, a buffer of 256 bytes, all sectors erased before the first write.
    public static let da14580 = SUOTAPersonality(
        family: .da1458x, chip: "DA14580", version: nil, patchDataSize: 20, maximumMTU: 23, blockBuffer: 256,
        productHeader: 0x1F000, banks: [0x4000, 0x10000], flashSize: 0x20000, erasesOnTheWay: false)
    /// DA14585 with SDK 6 in its default configuration: SUOTA 1.3, 244-byte writes, a buffer of 512 bytes.
    public static let da14585 = SUOTAPersonality(
        family: .da1458x, chip: "DA14585", version: 13, patchDataSize: 244, blockBuffer: 512)
    /// DA14585 built for SUOTA 1.0: 20-byte writes, whatever the MTU.
    public static let da14585Old = SUOTAPersonality(
        family: .da1458x, chip: "DA14585", version: nil, patchDataSize: 20, blockBuffer: 512)
    /// DA14531 module with a flash of 1 Mbit, without I2C.
    public static let da14531 = SUOTAPersonality(
        family: .da1458x, chip: "DA14531", version: 13, patchDataSize: 244, blockBuffer: 512,
        productHeader: 0x1F000, banks: [0x4000, 0x10000], flashSize: 0x20000, hasI2C: false)
    /// DA14681 before SUOTA 1.3: 120-byte writes, no channel.
    public static let da14681Old = stream68x("DA14681", version: nil, patchDataSize: 120, psm: nil)
    /// DA14683 with SUOTA 1.3, built without a channel.
    public static let da14683 = stream68x("DA14683", version: 13, patchDataSize: 244, psm: nil)
    /// DA14683 with SUOTA 1.3 and a channel.
    public static let da14683Channel = stream68x("DA14683", version: 13, patchDataSize: 244, psm: 0x81)
    /// DA14695 with a channel, like the SDK's example.
    public static let da14695 = SUOTAPersonality(
        family: .da1469x, chip: "DA14695", version: 13, patchDataSize: 244, psm: 0x81,
        blockBuffer: Int(UInt16.max), banks: [0x2000, 0x82000], flashSize: 0x102000,
        largestImage: 503 * 1024, timing: .quad)
    /// DA14695 without a channel.
    public static let da14695Attributes = {
        var personality = da14695
        personality.psm = nil
        return personality
    }()

    private static func stream68x(
        _ chip: String, version: UInt8?, patchDataSize: Int, psm: UInt16?
    ) -> SUOTAPersonality {
        SUOTAPersonality(
            family: .da1468x, chip: chip, version: version, patchDataSize: patchDataSize, psm: psm,
            blockBuffer: Int(UInt16.max), banks: [0, 0x40000], flashSize: 0x80000, largestImage: 236 * 1024,
            timing: .quad)
    }

    /// Every profile by its name in scenarios.
    public static let named: [String: SUOTAPersonality] = [
        "da14580": .da14580, "da14585": .da14585, "da14585-v1.0": .da14585Old, "da14531": .da14531,
        "da14681-v1.2": .da14681Old, "da14683": .da14683, "da14683-channel": .da14683Channel,
        "da14695": .da14695Attributes, "da14695-channel": .da14695,
    ]
}

public struct SUOTADescription: FlashDescription {
    public var address: DeviceAddress
    public var name = "Beacon"
    public var personality: SUOTAPersonality
    package var board: SUOTABoard
    public var manufacturer: String? = "Simulated Semiconductor"
    public var model: String?
    /// Whether Firmware and Software Revision String report the running version.
    public var reportsVersion = true
    /// The text of Firmware Revision, such as the SDK's version; nil for the running version.
    public var firmwareRevision: String?
    /// Whether it advertises the SUOTA service; some products do not.
    public var advertisesService = true
    /// The battery level in percent, advertised in an ASensor frame (AprilBrother) with a version byte; nil for none.
    public var batteryPercent: UInt8?
    /// The battery voltage in mV, advertised in an Eddystone TLM frame; nil for no frame.
    public var batteryMillivolts: UInt16?
    /// What it advertises instead of service, battery and name; nil to advertise service, battery and name.
    public var advertising: AdvertisingPlan?
    /// The advertising interval; nil to advertise at once when a scanner starts, then every 100 ms.
    public var advertisingInterval: Duration?
    /// The PIN that must be sent over Feasycom's service before an update; nil if it does not have that service.
    public var pin: String?
    public var rssi: Int8 = -50

    package var flashSize: Int { personality.flashSize }

    public init(address: DeviceAddress, _ personality: SUOTAPersonality) {
        self.address = address
        self.personality = personality
        board = SUOTABoard(personality)
        model = personality.chip
    }
}

/// The board of a product with SUOTA: everything except chip and SDK.
package struct SUOTABoard: Hashable, Sendable {
    package enum Memory: Hashable, Sendable { case spi, i2c }

    package var memory = Memory.spi
    /// The GPIO_MAP that selects that memory; nil if any value does. The default is the vendor's.
    package var pins: UInt32? = 0x0506_0300
    /// The status of a 58x that cannot access its memory: 0x16 or 0x06, or 0x14 if it reads garbage.
    package var wrongPinsStatus = ReceiverStatus.memoryRead
    /// The flash address of the product header of a 58x; nil without a product header.
    package var productHeader: Int?
    /// The factory images of the two banks; nil for an empty bank.
    package var first: SUOTAFirmware? = SUOTAFirmware()
    package var second: SUOTAFirmware?
    /// Whether its firmware resets when it must: after REBOOT, and after a lost link on 68x and 69x.
    package var resets = true
    /// 58x: how long its firmware checks a signature after a correct XOR; the image is valid only after that, and a
    /// second status reports it. Nil for stock firmware, which checks none.
    package var signatureCheck: Duration?
    /// Whether that check accepts the signature.
    package var signatureHolds = true
    /// 58x: whether the bootloader can start encrypted images.
    package var decrypts = false
    /// 68x and 69x: the number of links to other centrals; with any, every command is answered with 0x03.
    package var otherLinks = 0

    package init(_ personality: SUOTAPersonality) {
        productHeader = personality.family == .da1458x ? personality.productHeader : nil
    }
}
