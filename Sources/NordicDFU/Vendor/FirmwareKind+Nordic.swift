public import FirmwareModel

extension FirmwareKind {
    /// A package of Nordic's Secure DFU.
    public static let nordicSecure = FirmwareKind(rawValue: "nordic-secure")
    /// A package of Nordic's Legacy DFU, with or without a manifest.
    public static let nordicLegacy = FirmwareKind(rawValue: "nordic-legacy")
    /// What an application offers that gives way to a bootloader; it has no file of its own.
    static let nordicButtonless = FirmwareKind(rawValue: "nordic-buttonless")
}
