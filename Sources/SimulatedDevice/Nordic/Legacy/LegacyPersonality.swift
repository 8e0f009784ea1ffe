/// How a Legacy bootloader behaves, as data: a row of the table in nordic-legacy.md, Personalities.
///
/// Numbers are those of the stock bootloaders of nRF5 SDK 11 (`dfu_types.h`, `hci_mem_pool_internal.h`).
public struct LegacyPersonality: Hashable, Sendable {
    /// How requests are spelled.
    public enum Dialect: Hashable, Sendable {
        /// SDK 4 to 6.0: a start of 4 bytes, applications only.
        case first
        /// SDK 6.1 and later: a start with a mode and three sizes.
        case second
    }

    /// What the extension of the init packet is taken for (docs/formats/nordic-legacy.md, Layout).
    public enum ImageCheck: String, Hashable, Sendable, CaseIterable {
        /// A CRC16 at its start.
        case checksum = "crc16"
        /// 0 and a CRC16.
        case extendedChecksum = "extended-crc16"
        /// 1, a length and a SHA-256.
        case hash
        /// 2, a length, a SHA-256 and a signature.
        case signature
    }

    /// What becomes of a packet that finds no free buffer.
    public enum Overrun: Hashable, Sendable {
        /// It is refused with 06, and the image has a hole.
        case refused
        /// From then on nothing is answered until a reset.
        case stalls
    }

    /// Whom the init packet has to be for.
    public enum DeviceRule: Hashable, Sendable {
        /// Type and revision as the device has them, each only if it has one.
        case information
        /// Type 0052 for everything, the revision for SoftDevices and bootloaders.
        case adafruit
    }

    /// The SDK or the maker, such as `SDK 11`.
    public var name: String
    /// The value of the DFU Version characteristic; nil without one.
    public var version: UInt16?
    /// How requests are spelled.
    public var dialect = Dialect.second
    /// Whether an init packet is a CRC16 and no more, without a begin and an end: before SDK 7.
    public var hasBareInit = false
    /// Whether an application and a bootloader are received beside the application, not in its place.
    public var hasTwoBanks = false
    /// The longest init packet, in bytes.
    public var initMaximum = 64
    /// Whether an image is refused without an init packet.
    public var needsInit = true
    /// What the init packet says about the image.
    public var imageCheck = ImageCheck.checksum
    /// Whom the init packet has to be for.
    public var deviceRule = DeviceRule.information
    /// Whether of the list of SoftDevices only the first counts, and an empty list suits every device.
    public var readsFirstSoftDeviceOnly = false
    /// Buffers for packets of the image that wait for flash.
    public var packetBuffers = 8
    /// What happens when they do not suffice.
    public var overrun = Overrun.refused
    /// Whether a receipt counts only to 65535.
    public var hasShortReceipts = false
    /// The largest ATT MTU.
    public var maximumMTU = 23
    /// The longest packet; a longer one is ignored.
    public var packetMaximum = 20
    /// Whether packets may be sent as Write Requests too.
    public var takesPacketRequests = false
    /// Whether the bootloader adds 1 to the address unless it was handed a peer.
    public var movesAddress = true
    /// Whether it advertises to a peer of which it was handed an address alone, and to nobody else.
    public var directsAdvertising = true
    /// What it calls itself.
    public var bootloaderName = "DfuTarg"
    /// Without activity for this long it gives up; nil for never.
    public var inactivityLimit: Duration? = Duration.seconds(120)
    /// The same while its directed advertising is not answered: 50 times 1.28 s.
    public var directedLimit = Duration.seconds(64)

    /// The stock single-bank bootloader of SDK 11 under another name, to be varied field by field.
    public init(name: String, version: UInt16? = 0x0008) {
        self.name = name
        self.version = version
    }
}

// An SDK's number reads as such only with its point kept apart.
// swift-format-ignore: AlwaysUseLowerCamelCase
extension LegacyPersonality {
    /// nRF51 SDK 4.
    public static let sdk4 = first("SDK 4")
    /// nRF51 SDK 5.2, whose receipts count to 65535.
    public static let sdk5_2 = first("SDK 5.2") { $0.hasShortReceipts = true }
    /// nRF51 SDK 6.1, with two banks: the start of later ones, the init packet of earlier ones.
    public static let sdk6_1 = first("SDK 6.1") {
        $0.dialect = .second
        $0.hasTwoBanks = true
    }
    /// nRF51 SDK 7.
    public static let sdk7 = second("SDK 7", 0x0005)
    /// nRF51 SDK 8.
    public static let sdk8 = second("SDK 8", 0x0006)
    /// The variant that checks a SHA-256.
    public static let hashing = second("0.7") {
        $0.version = 0x0007
        $0.imageCheck = .hash
    }
    /// nRF5 SDK 9 to 11 with one bank.
    public static let sdk11 = second("SDK 11")
    /// nRF5 SDK 9 to 11 with two banks.
    public static let sdk11TwoBanks = second("SDK 11, two banks") {
        $0.hasTwoBanks = true
        $0.initMaximum = 128
    }
    /// nRF5 SDK 11 with the template that checks signatures.
    public static let sdk11Signed = second("SDK 11, signed") {
        $0.hasTwoBanks = true
        $0.initMaximum = 128
        $0.imageCheck = .signature
        $0.readsFirstSoftDeviceOnly = true
    }
    /// Adafruit's bootloader for the nRF52.
    public static let adafruit = second("Adafruit") {
        $0.deviceRule = .adafruit
        $0.overrun = .stalls
        $0.maximumMTU = 247
        $0.packetMaximum = 244
        $0.takesPacketRequests = true
        $0.directsAdvertising = false
        $0.bootloaderName = "AdaDFU"
        $0.inactivityLimit = nil
    }

    private static func first(_ name: String, _ change: (inout Self) -> Void = { _ in }) -> Self {
        var personality = LegacyPersonality(name: name, version: nil)
        personality.dialect = .first
        personality.hasBareInit = true
        personality.needsInit = false
        personality.movesAddress = false
        change(&personality)
        return personality
    }

    private static func second(
        _ name: String, _ version: UInt16 = 0x0008, _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var personality = LegacyPersonality(name: name, version: version)
        change(&personality)
        return personality
    }
}

extension LegacyPersonality: CustomStringConvertible {
    /// The SDK or the maker.
    public var description: String { name }
}
