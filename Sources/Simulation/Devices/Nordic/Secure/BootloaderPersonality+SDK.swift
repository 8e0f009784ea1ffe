// The underscore separates the parts of an SDK's version number.
// swift-format-ignore: AlwaysUseLowerCamelCase
extension BootloaderPersonality {
    /// nRF5 SDK 12.3, the first with Secure DFU; from its source, where a difference from SDK 14.2 was found.
    public static let sdk12_3 = varied(sdk14_2, "12.3") {
        $0.buffering = .ring(chunk: 256)
        $0.initRules.tellsExtendedCodes = false
        $0.initRules.softDeviceLimit = 4
        $0.initRules.softDeviceRule = .listed(unchecked: [])
        $0.softDeviceChecks = []
    }

    /// nRF5 SDK 13.1: like 14.2, as far as is known.
    public static let sdk13_1 = varied(sdk14_2, "13.1") { _ in }

    /// nRF5 SDK 14.2: a ring of 512 bytes, no flash barrier, progress in flash.
    public static let sdk14_2 = varied(BootloaderPersonality(name: "14.2"), "14.2") {
        $0.maximumMTU = 23
        $0.commandMaximum = 256
        $0.buffering = .ring(chunk: 128)
        $0.flashQueue = 8
        $0.settingsAtInit = SettingsWrite(copies: 1, bytes: 440)
        $0.settingsAtObject = $0.settingsAtInit
        $0.writesOnlyChanges = false
        $0.waitsForFlash = false
        $0.disconnectKeeps = .everything
        $0.initRules = .sdk14
        $0.unknownOpcode = .invalidParameter
        $0.informationOpcodes = .invalidParameter
        $0.knowsWriteAndAbort = false
        $0.answersCommands = true
        $0.checksLengths = true
        $0.unknownType = .unsupportedType
        $0.keepsObjectAtUnknownType = true
        $0.checksSizeFirst = true
        $0.receiptsTellRefusals = false
        $0.keepsFailedInit = true
        $0.showsUpdateAddressAsChecksum = false
        $0.losesHalfWrittenSettings = true
        $0.applicationErasure = .firstObject
        $0.softDeviceChecks = [.major]
        $0.resetsToApplication = 1
        $0.timeout = .createsAndExecutes
    }

    /// nRF5 SDK 15.0: the rewritten request handler.
    public static let sdk15_0 = varied(sdk15_3, "15.0") {
        $0.commandMaximum = 256
        $0.settingsAtInit = SettingsWrite(copies: 1, bytes: 440)
        $0.initRules = .sdk15_0
        $0.informationOpcodes = .success
        $0.keepsFailedInit = true
        $0.forgivesLackOfRoom = true
    }

    /// nRF5 SDK 15.3: keeps everything when a link ends.
    public static let sdk15_3 = varied(sdk16_0, "15.3") {
        $0.disconnectKeeps = .everything
        $0.abortEndsLink = false
        $0.softDeviceChecks = [.structure, .major]
    }

    /// nRF5 SDK 16.0: reloads its settings when a link ends.
    public static let sdk16_0 = varied(sdk17_1, "16.0") { $0.bootloaderValidationEntry = 0 }

    /// nRF5 SDK 17.1, the last one.
    public static let sdk17_1 = BootloaderPersonality(name: "17.1")

    /// nRF5 SDK 17.1 built with `NRF_DFU_SAVE_PROGRESS_IN_FLASH 1`.
    public static let sdk17_1SavingProgress = varied(sdk17_1, "17.1, saving progress") {
        $0.settingsAtObject = $0.settingsAtInit
    }

    /// The stock bootloaders, oldest first.
    public static let stock = [sdk12_3, sdk13_1, sdk14_2, sdk15_0, sdk15_3, sdk16_0, sdk17_1]

    /// The same bootloader, built with `NRF_DFU_BLE_REQUIRES_BONDS 1`.
    public var requiringBonds: BootloaderPersonality {
        Self.varied(self, name + ", bonded") { $0.requiresBonds = true }
    }

    private static func varied(_ base: Self, _ name: String, _ change: (inout Self) -> Void) -> Self {
        var personality = base
        personality.name = name
        change(&personality)
        return personality
    }
}
