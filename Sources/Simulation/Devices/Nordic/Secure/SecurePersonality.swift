/// The bootloader generation of one SDK, as data: a column of the table in nordic-secure.md, Personalities.
///
/// The numbers are those of the stock BLE bootloader for nRF52 (`sdk_config.h`, `nrf_dfu_types.h`). The default of
/// every field is that of SDK 17.1.
public struct SecurePersonality: Hashable, Sendable, CustomStringConvertible {
    /// The cost of writing the settings: each copy is one page erase and one write.
    package struct SettingsWrite: Hashable, Sendable {
        /// The number of copies: 2 with a backup page.
        package var copies: Int
        package var bytes: Int
    }

    package enum Retention: Hashable, Sendable {
        /// Everything in RAM, a partial object and a partial init packet included.
        case everything
        /// The content of the settings page in flash.
        case settingsPage
    }

    /// Which application versions are accepted, compared with the stored one.
    package enum VersionRule: Hashable, Sendable { case anything, sameOrNewer, newer }

    package enum Buffering: Hashable, Sendable {
        /// In this number of buffers, one for each packet; a refused packet keeps its buffer until a reset.
        case packets(Int)
        /// In four chunks of this size in bytes in turn, passed to flash by pointer and refilled without a check.
        case ring(chunk: Int)
    }

    package var name: String
    package var maximumMTU = 247
    package var commandMaximum = 512
    package var dataMaximum = 4096
    package var buffering = Buffering.packets(17)
    /// The capacity of the flash queue, including the operation under way.
    package var flashQueue = 16
    /// The cost of an executed init packet.
    package var settingsAtInit = SettingsWrite(copies: 2, bytes: 896)
    /// The cost of an executed data object; nil unless progress is kept in flash.
    package var settingsAtObject: SettingsWrite?
    /// Whether settings are written only when they changed, and without regard for a full queue.
    package var writesOnlyChanges = true
    /// Whether an Execute(data) is answered when its bytes are in flash, instead of when they are queued.
    package var waitsForFlash = true
    package var disconnectKeeps = Retention.settingsPage
    package var initRules = InitRules()
    package var versionRule = VersionRule.sameOrNewer
    package var unknownOpcode = ResultCode.opcodeNotSupported
    /// The response to the opcodes 0x00, 0x07, 0x09, 0x0A and 0x0B, which have no payload over BLE.
    package var informationOpcodes = ResultCode.opcodeNotSupported
    /// Whether opcode 0x08 on the Control Point counts as a data packet without a response, and opcode 0x0C resets.
    package var knowsWriteAndAbort = true
    /// Whether a Write Command to the Control Point has the effect of a request.
    package var answersCommands = false
    /// Whether a request of a wrong length is refused with 0x03.
    package var checksLengths = false
    package var unknownType = ResultCode.invalidObject
    package var keepsObjectAtUnknownType = false
    /// Whether Create(data) checks the size before it checks for an init packet.
    package var checksSizeFirst = false
    /// Whether a PRN reports the refusal of the last packet, and zeros if flash had no room for that packet.
    package var receiptsReportRefusals = true
    /// Whether an init packet that fails its checks is kept, so that another Execute fails in the same way.
    package var keepsFailedInit = false
    /// Whether a second Execute of an init packet for whose image there is no room answers 0x01 without any effect.
    package var acceptsRepeatWithoutRoom = false
    /// Whether Select reports the update's address as crc at offset 0 after a finished or failed image.
    package var showsUpdateAddressAsChecksum = true
    package var abortEndsLink = true
    /// Whether the settings are lost in a power loss while their only page is erased.
    package var losesHalfWrittenSettings = false
    /// Whether an image that overwrites the application invalidates it at the first object, not at the init packet.
    package var erasesAtFirstObject = false
    package var softDeviceChecks: Set<SoftDeviceCheck> = [.structure, .major, .family]
    /// The index of the boot_validation entry for the bootloader of a combined image.
    package var bootloaderValidationEntry = 1
    /// The number of resets from the last Execute to the new application.
    package var resetsToApplication = 2
    package var requiresBonds = false
    /// Whether the inactivity timeout starts over at each Create and Execute of either type that is carried out;
    /// otherwise at Create(command), refused or not, and at Execute(data).
    package var countsEveryObject = false
    /// The inactivity timeout, after which the device resets; nil for none.
    package var inactivityLimit: Duration? = Duration.seconds(120)
    /// The inactivity timeout after a SoftDevice was replaced while the application is still valid.
    package var continuationLimit = Duration.seconds(10)
    /// The time between the request to end the link and the reset.
    package var closingTime = Duration.milliseconds(200)

    public var description: String { "SDK \(name)" }
}

// The underscore separates the parts of an SDK's version number.
// swift-format-ignore: AlwaysUseLowerCamelCase
extension SecurePersonality {
    /// nRF5 SDK 12.3, the first with Secure DFU: SDK 14.2 with the differences that the source of SDK 12.3 shows.
    public static let sdk12_3 = varied(sdk14_2, "12.3") {
        $0.buffering = .ring(chunk: 256)
        $0.initRules.sendsExtendedCodes = false
        $0.initRules.softDeviceLimit = 4
        $0.initRules.softDeviceRule = .listed(unchecked: [])
        $0.softDeviceChecks = []
    }

    /// nRF5 SDK 13.1: like 14.2, as far as is known.
    public static let sdk13_1 = varied(sdk14_2, "13.1") { _ in }

    /// nRF5 SDK 14.2: a ring of 512 bytes, no flash barrier, progress in flash.
    public static let sdk14_2 = SecurePersonality(
        name: "14.2", maximumMTU: 23, commandMaximum: 256, buffering: .ring(chunk: 128), flashQueue: 8,
        settingsAtInit: SettingsWrite(copies: 1, bytes: 440),
        settingsAtObject: SettingsWrite(copies: 1, bytes: 440), writesOnlyChanges: false,
        waitsForFlash: false, disconnectKeeps: .everything, initRules: .sdk14,
        unknownOpcode: .invalidParameter, informationOpcodes: .invalidParameter, knowsWriteAndAbort: false,
        answersCommands: true, checksLengths: true, unknownType: .unsupportedType,
        keepsObjectAtUnknownType: true, checksSizeFirst: true, receiptsReportRefusals: false,
        keepsFailedInit: true, showsUpdateAddressAsChecksum: false, losesHalfWrittenSettings: true,
        erasesAtFirstObject: true, softDeviceChecks: [.major], resetsToApplication: 1,
        countsEveryObject: true)

    /// nRF5 SDK 15.0: the rewritten request handler.
    public static let sdk15_0 = varied(sdk15_3, "15.0") {
        $0.commandMaximum = 256
        $0.settingsAtInit = SettingsWrite(copies: 1, bytes: 440)
        $0.initRules = .sdk15_0
        $0.informationOpcodes = .success
        $0.keepsFailedInit = true
        $0.acceptsRepeatWithoutRoom = true
    }

    /// nRF5 SDK 15.3: keeps all of its RAM when a link ends.
    public static let sdk15_3 = varied(sdk16_0, "15.3") {
        $0.disconnectKeeps = .everything
        $0.abortEndsLink = false
        $0.softDeviceChecks = [.structure, .major]
    }

    /// nRF5 SDK 16.0: reloads its settings when a link ends.
    public static let sdk16_0 = varied(sdk17_1, "16.0") { $0.bootloaderValidationEntry = 0 }

    /// nRF5 SDK 17.1, the last one.
    public static let sdk17_1 = SecurePersonality(name: "17.1")

    /// nRF5 SDK 17.1 built with `NRF_DFU_SAVE_PROGRESS_IN_FLASH 1`.
    public static let sdk17_1SavingProgress = varied(sdk17_1, "17.1, saving progress") {
        $0.settingsAtObject = $0.settingsAtInit
    }

    /// The stock bootloaders, oldest first.
    public static let stock = [sdk12_3, sdk13_1, sdk14_2, sdk15_0, sdk15_3, sdk16_0, sdk17_1]

    /// This bootloader, built with `NRF_DFU_BLE_REQUIRES_BONDS 1`.
    package var requiringBonds: SecurePersonality {
        Self.varied(self, name + ", bonded") { $0.requiresBonds = true }
    }

    private static func varied(_ base: Self, _ name: String, _ change: (inout Self) -> Void) -> Self {
        var personality = base
        personality.name = name
        change(&personality)
        return personality
    }
}
