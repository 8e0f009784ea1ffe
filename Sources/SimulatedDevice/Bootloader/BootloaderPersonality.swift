/// How the bootloader of one SDK behaves, as data: a column of the table in nordic-secure.md, Seen in the wild.
///
/// Numbers are those of the stock BLE bootloader for nRF52 (`sdk_config.h`, `nrf_dfu_types.h`).
public struct BootloaderPersonality: Hashable, Sendable {
    /// What writing the settings costs: each copy is one page erase and one write.
    public struct SettingsWrite: Hashable, Sendable {
        /// How many copies: 2 with a backup page.
        public var copies: Int
        /// Bytes a copy.
        public var bytes: Int

        /// A write of `copies` copies with `bytes` bytes each.
        public init(copies: Int, bytes: Int) {
            self.copies = copies
            self.bytes = bytes
        }
    }

    /// What a link that ends leaves of an update.
    public enum Retention: Hashable, Sendable {
        /// Everything in RAM, a partial object and a partial init packet included.
        case everything
        /// What the settings page in flash says.
        case settingsPage
    }

    /// Which application versions are taken, compared with the stored one.
    public enum VersionRule: Hashable, Sendable {
        /// Any, downgrades included.
        case anything
        /// The same or a higher one.
        case sameOrNewer
        /// Only a higher one.
        case newer
    }

    /// The SDK, such as `17.1`.
    public var name: String
    /// The largest ATT MTU.
    public var maximumMTU = 247
    /// The largest command object, in bytes.
    public var commandMaximum = 512
    /// The largest data object: one flash page, in bytes.
    public var dataMaximum = 4096
    /// Buffers for data packets; a refused packet costs one for good.
    public var packetBuffers = 17
    /// Flash operations that can wait, the one under way included.
    public var flashQueue = 16
    /// What an executed init packet writes.
    public var settingsAtInit = SettingsWrite(copies: 2, bytes: 896)
    /// What an executed data object writes: nil unless progress is kept in flash.
    public var settingsAtObject: SettingsWrite?
    /// What is left when the link ends.
    public var disconnectKeeps = Retention.settingsPage
    /// Which application versions are taken.
    public var versionRule = VersionRule.sameOrNewer
    /// The answer to an opcode nobody knows.
    public var unknownOpcode = ResultCode.opcodeNotSupported
    /// The answer to the opcodes 00, 07, 09, 0A and 0B, which BLE never gives a payload.
    public var informationOpcodes = ResultCode.opcodeNotSupported
    /// Whether an init packet that fails its checks stays, so that a repeat fails alike.
    public var keepsFailedInit = false
    /// Whether Select shows the update's address as crc at offset 0 after a finished or failed image.
    public var showsUpdateAddressAsChecksum = true
    /// Whether Abort ends the link before it resets.
    public var abortEndsLink = true
    /// The kinds that may name no SoftDevice at all although one is installed.
    public var kindsWithoutSoftDevices: Set<FirmwareKind> = []
    /// Whether an application may list 0 together with SoftDevices.
    public var acceptsZeroBesideSoftDevices = false
    /// Which boot_validation entry guards the bootloader of a combined image.
    public var bootloaderValidationEntry = 1
    /// Without a data Execute or a Create(command) for this long the device resets; nil for never.
    public var inactivityLimit: Duration? = Duration.seconds(120)
    /// The same after a SoftDevice was replaced while the application is still valid.
    public var continuationLimit = Duration.seconds(10)
    /// Between asking for the link's end and the reset.
    public var closingTime = Duration.milliseconds(200)

    /// The stock behaviour of SDK 17.1 under another name, to be varied field by field.
    public init(name: String) { self.name = name }
}

// An SDK's number reads as such only with its point kept apart.
// swift-format-ignore: AlwaysUseLowerCamelCase
extension BootloaderPersonality {
    /// nRF5 SDK 15.3: keeps everything over a disconnect.
    public static let sdk15_3 = varied("15.3") {
        $0.disconnectKeeps = .everything
        $0.abortEndsLink = false
        $0.bootloaderValidationEntry = 0
    }

    /// nRF5 SDK 16.0: reloads its settings at a disconnect.
    public static let sdk16_0 = varied("16.0") { $0.bootloaderValidationEntry = 0 }

    /// nRF5 SDK 17.1, the last one.
    public static let sdk17_1 = BootloaderPersonality(name: "17.1")

    /// nRF5 SDK 17.1 built with `NRF_DFU_SAVE_PROGRESS_IN_FLASH 1`.
    public static let sdk17_1SavingProgress = varied("17.1, saving progress") {
        $0.settingsAtObject = $0.settingsAtInit
    }

    private static func varied(_ name: String, _ change: (inout Self) -> Void) -> Self {
        var personality = BootloaderPersonality(name: name)
        change(&personality)
        return personality
    }
}

extension BootloaderPersonality: CustomStringConvertible {
    /// The SDK.
    public var description: String { "SDK \(name)" }
}
