/// The rules by which a generation of bootloaders decodes and checks init packets (docs/formats/init-packet.md). The
/// default of every field is that of SDK 15.3 and later.
public struct InitRules: Hashable, Sendable {
    /// How the list of SoftDevices is compared with the installed one.
    public enum SoftDeviceRule: Hashable, Sendable {
        /// The installed one must be in it, at any position; not checked for these kinds.
        case listed(unchecked: Set<FirmwareKind>)
        /// The same, but a leading 0 stands for "none": valid for a bootloader, and for an application if it is the
        /// only entry or, with `zeroMayLead`, the first. These kinds need no list.
        case leadingZero(unlisted: Set<FirmwareKind>, zeroMayLead: Bool)
    }

    /// Whether debug mode, versions and SoftDevice are checked before the signature.
    ///
    /// Such bootloaders refuse every unsigned packet, treat a packet without a type as an application's, and check the
    /// hash type only when there is something to hash.
    public var checksVersionsFirst = false
    /// Whether extended codes are sent; otherwise 0A stands for all of them.
    public var tellsExtendedCodes = true
    /// The maximum number of entries in the list of SoftDevices.
    public var softDeviceLimit = 16
    /// How the list of SoftDevices is compared with the installed one.
    public var softDeviceRule = SoftDeviceRule.leadingZero(unlisted: [], zeroMayLead: false)
    /// The longest init command whose signature can be verified: older bootloaders strip only one byte of length.
    public var signedMaximum = Int.max
    /// Whether a packet must have exactly one command of one kind, with one init at its end.
    public var isStrict = true
    /// Whether boot_validation is read.
    public var readsBootValidation = true
    /// Whether the version of a SoftDevice is compared with the application's.
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

    /// A refusal in the form that this generation sends.
    func told(_ refusal: Refusal) -> Refusal {
        guard !tellsExtendedCodes, let extended = refusal.extended else { return refusal }
        // nRF5 SDK 12.3, dfu_req_handling.c: a wrong hash has its own plain code.
        return Refusal(extended == .verificationFailed ? .invalidObject : .operationFailed)
    }
}
