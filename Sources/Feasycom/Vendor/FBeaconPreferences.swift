package import UpdateModel

/// The user's options for an upgrade of an open device.
package struct FBeaconPreferences: VendorOptions, Hashable {
    /// The digit of `EnterDFU` that restores the default settings, if the device does not report it.
    package var restoringDigit: EntryDigit?
    package var risks: Set<Risk> = []
    /// The version that the new firmware has to report; nil for the container's version.
    package var versionText: String?

    package init() {}

    package static let title = "FBeacon"
    package static let options: [VendorOption] = [.restoreDigit]

    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        restoringDigit = values[.restoreDigit].flatMap(EntryDigit.init)
    }
}

extension VendorOption {
    static let restoreDigit: VendorOption = VendorOption(
        "restore-digit", title: "restoring digit", .text, "digit",
        help:
            "The digit of EnterDFU that restores the default settings, 0 or 1, if the beacon does not report it."
    ) { EntryDigit(text: $0) == nil ? "\(.restoreDigit) is 0 or 1" : nil }
}
