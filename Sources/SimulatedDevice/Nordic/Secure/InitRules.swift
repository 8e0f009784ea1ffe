/// How a generation of bootloaders reads and judges init packets (docs/formats/init-packet.md). The default of
/// every field is SDK 15.3's and later.
public struct InitRules: Hashable, Sendable {
    /// How the list of SoftDevices is held against the installed one.
    public enum SoftDeviceRule: Hashable, Sendable {
        /// The installed one is in it, at any place; not looked at for these kinds.
        case listed(unchecked: Set<FirmwareKind>)
        /// The same, but a leading 0 stands for "none": right for a bootloader, and for an application alone
        /// in its list, or with others after it where `zeroMayLead`. These kinds may come without a list.
        case leadingZero(unlisted: Set<FirmwareKind>, zeroMayLead: Bool)
    }

    /// Whether debug, versions and SoftDevice are looked at before the signature.
    ///
    /// Such bootloaders refuse every unsigned packet, take a packet without type for an application's, and
    /// look at the hash's type when there is something to hash.
    public var checksVersionsFirst = false
    /// Whether extended codes are told; 0A stands for all of them otherwise.
    public var tellsExtendedCodes = true
    /// Most entries in the list of SoftDevices.
    public var softDeviceLimit = 16
    /// How the list of SoftDevices is held against the installed one.
    public var softDeviceRule = SoftDeviceRule.leadingZero(unlisted: [], zeroMayLead: false)
    /// Longest init command whose signature can be right: older ones strip one byte of length only.
    public var signedMaximum = Int.max
    /// Whether a packet has one command of one kind with one init at its end, or is refused.
    public var isStrict = true
    /// Whether boot_validation is read at all.
    public var readsBootValidation = true
    /// Whether a SoftDevice's version is held against the application's.
    public var comparesSoftDeviceVersion = true

    /// SDK 13 and 14.
    static let sdk14: InitRules = {
        var rules = sdk15_0
        rules.checksVersionsFirst = true
        rules.softDeviceRule = .listed(unchecked: [.softDeviceAndBootloader])
        rules.comparesSoftDeviceVersion = false
        return rules
    }()

    // swift-format-ignore: AlwaysUseLowerCamelCase
    static let sdk15_0: InitRules = {
        var rules = InitRules()
        rules.softDeviceRule = .leadingZero(
            unlisted: [.application, .bootloader, .softDeviceAndBootloader], zeroMayLead: true)
        rules.signedMaximum = 127
        rules.isStrict = false
        rules.readsBootValidation = false
        return rules
    }()

    /// A refusal as this generation tells it.
    func told(_ refusal: Refusal) -> Refusal {
        guard !tellsExtendedCodes, let extended = refusal.extended else { return refusal }
        // nRF5 SDK 12.3, dfu_req_handling.c: a wrong hash has a plain code of its own.
        return Refusal(extended == .verificationFailed ? .invalidObject : .operationFailed)
    }
}
