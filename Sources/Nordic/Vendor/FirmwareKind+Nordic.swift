public import UpdateModel

extension FirmwareKind {
    /// A package of Nordic's Secure DFU.
    public static let nordicSecure = FirmwareKind(rawValue: "nordic-secure")
    /// A package of Nordic's Legacy DFU, with or without a manifest.
    public static let nordicLegacy = FirmwareKind(rawValue: "nordic-legacy")
    /// The buttonless service of an application that starts a bootloader; there is no file format of its own.
    static let nordicButtonless = FirmwareKind(rawValue: "nordic-buttonless")
}
