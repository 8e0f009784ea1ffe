public import UpdateCore

/// What a user may ask for of an open device's upgrade.
public struct FBeaconPreferences: VendorOptions, Hashable {
    /// The digit of `EnterDFU` that restores the default settings, where the device does not say.
    public var restoringDigit: EntryDigit?
    /// What is done although the device speaks against it.
    public var risks: Set<Risk> = []
    /// What the new firmware has to call itself; nil takes the container's version.
    public var versionText: String?

    /// What holds unless somebody asks for something else.
    public init() {}
}
