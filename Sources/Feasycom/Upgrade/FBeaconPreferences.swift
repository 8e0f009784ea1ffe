public import UpdateModel

/// The user's options for an upgrade of an open device.
public struct FBeaconPreferences: VendorOptions, Hashable {
    /// The digit of `EnterDFU` that restores the default settings, if the device does not report it.
    public var restoringDigit: EntryDigit?
    /// The accepted risks, which override the device's objections.
    public var risks: Set<Risk> = []
    /// The version that the new firmware has to report; nil for the container's version.
    public var versionText: String?

    /// The defaults.
    public init() {}
}
