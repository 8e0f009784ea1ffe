/// The profile of a Legacy bootloader, as data: a row of the table in nordic-legacy.md, Personalities.
///
/// The numbers are those of the stock bootloaders of nRF5 SDK 11 (`dfu_types.h`, `hci_mem_pool_internal.h`).
public struct LegacyPersonality: Hashable, Sendable, CustomStringConvertible {
    /// How the extension of the init packet is interpreted (docs/formats/nordic-legacy.md, Layout).
    package enum ImageCheck: String, Hashable, Sendable, CaseIterable {
        /// It begins with a CRC-16.
        case checksum = "crc16"
        /// The identifier 0 and a CRC-16.
        case extendedChecksum = "extended-crc16"
        /// The identifier 1, a length and a SHA-256.
        case hash
        /// The identifier 2, a length, a SHA-256 and a signature.
        case signature
    }

    package enum DeviceRule: Hashable, Sendable {
        /// Type and revision must equal the device's; each is checked only if the device has it.
        case information
        /// The type must be 0x0052; the revision is checked only for SoftDevices and bootloaders.
        case adafruit
    }

    package var name: String
    /// The value of the DFU Version characteristic; nil without one.
    package var version: UInt16? = 0x0008
    /// Whether a Start has 4 bytes, for applications only, as before SDK 6.1; otherwise it has a mode and three sizes.
    package var hasShortStart = false
    /// Whether an init packet is just a CRC-16, without requests for its begin and end, as before SDK 7.
    package var hasBareInit = false
    /// Whether applications and bootloaders are received next to the application instead of over it.
    package var hasTwoBanks = false
    /// The longest init packet, in bytes.
    package var initMaximum = 64
    package var needsInit = true
    package var imageCheck = ImageCheck.checksum
    package var deviceRule = DeviceRule.information
    /// Whether only the first entry of the list of SoftDevices counts, and an empty list fits every device.
    package var readsFirstSoftDeviceOnly = false
    package var packetBuffers = 8
    /// Whether a packet without a free buffer ends all responses until a reset; otherwise it is refused with 0x06, and
    /// the image has a hole.
    package var stallsAtOverrun = false
    /// Whether receipts report only the lower 16 bits of the number of bytes.
    package var hasShortReceipts = false
    package var maximumMTU = 23
    /// The maximum packet size in bytes; a longer packet is ignored.
    package var packetMaximum = 20
    package var takesPacketRequests = false
    /// Whether the bootloader's address is the application's plus 1, unless the application has handed over a peer.
    package var movesAddress = true
    /// Whether the bootloader advertises only to a peer of which the application has handed over just the address.
    package var directsAdvertising = true
    package var bootloaderName = "DfuTarg"
    /// The inactivity timeout, after which the bootloader resets; nil for none.
    package var inactivityLimit: Duration? = Duration.seconds(120)
    /// The timeout of unanswered directed advertising: 50 times 1.28 s.
    package var directedLimit = Duration.seconds(64)

    public var description: String { name }
}

// The underscore separates the parts of an SDK's version number.
// swift-format-ignore: AlwaysUseLowerCamelCase
extension LegacyPersonality {
    /// nRF51 SDK 4.
    public static let sdk4 = LegacyPersonality(
        name: "SDK 4", version: nil, hasShortStart: true, hasBareInit: true, needsInit: false,
        movesAddress: false)
    /// nRF51 SDK 5.2, whose receipts have 16 bits.
    public static let sdk5_2 = LegacyPersonality(
        name: "SDK 5.2", version: nil, hasShortStart: true, hasBareInit: true, needsInit: false,
        hasShortReceipts: true, movesAddress: false)
    /// nRF51 SDK 6.1, with two banks: it has the Start of later SDKs, and the init packet of earlier ones.
    public static let sdk6_1 = LegacyPersonality(
        name: "SDK 6.1", version: nil, hasBareInit: true, hasTwoBanks: true, needsInit: false,
        movesAddress: false)
    /// nRF51 SDK 7.
    public static let sdk7 = LegacyPersonality(name: "SDK 7", version: 0x0005)
    /// nRF51 SDK 8.
    public static let sdk8 = LegacyPersonality(name: "SDK 8", version: 0x0006)
    /// The variant with DFU version 0.7, which checks a SHA-256.
    public static let hashing = LegacyPersonality(name: "0.7", version: 0x0007, imageCheck: .hash)
    /// nRF5 SDK 9 to 11 with one bank.
    public static let sdk11 = LegacyPersonality(name: "SDK 11")
    /// nRF5 SDK 9 to 11 with two banks.
    public static let sdk11TwoBanks = LegacyPersonality(
        name: "SDK 11, two banks", hasTwoBanks: true, initMaximum: 128)
    /// nRF5 SDK 11 with the template that verifies signatures.
    public static let sdk11Signed = LegacyPersonality(
        name: "SDK 11, signed", hasTwoBanks: true, initMaximum: 128, imageCheck: .signature,
        readsFirstSoftDeviceOnly: true)
    /// Adafruit's bootloader for the nRF52.
    public static let adafruit = LegacyPersonality(
        name: "Adafruit", deviceRule: .adafruit, stallsAtOverrun: true, maximumMTU: 247, packetMaximum: 244,
        takesPacketRequests: true, directsAdvertising: false, bootloaderName: "AdaDFU", inactivityLimit: nil)
}
