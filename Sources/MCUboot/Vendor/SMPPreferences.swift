package import UpdateModel

/// When an image that was installed is made permanent.
package enum Confirmation: String, CaseIterable, Sendable {
    /// After the restart, once the beacon reports that the image runs. Until then, a restart undoes a bad image.
    case afterCheck = "after-check"
    /// Before the restart: there is no way back.
    case now
    /// Never: the next restart undoes the update unless the firmware confirms itself.
    case test
}

/// The user's options for an update over SMP.
package struct SMPPreferences: Hashable, Sendable {
    package var confirmation = Confirmation.afterCheck
    /// Whether the beacon's settings and bonds are erased before the restart.
    package var erasesStorage = false
    /// The maximum number of upload requests under way; nil for as many as the beacon has buffers for.
    package var window: Int?
    /// The version text that the beacon has to report; nil for the image's version.
    package var versionText: String?
    package var risks: Set<Risk> = []

    package init() {}
}

extension VendorOption {
    package static let confirm: VendorOption = VendorOption(
        "confirm", title: "time of the confirmation", .text, "when",
        help: "When the image becomes permanent: after-check, once the beacon runs it; "
            + "now, before the restart, without a way back; test: never. Default: after-check.",
        in: [.catalogue]
    ) { text in
        Confirmation(rawValue: text) == nil ? "\(.confirm) is after-check, now or test" : nil
    }
    package static let eraseStorage = VendorOption(
        "erase-storage", title: "erase settings", .flag,
        help: "Erase the beacon's settings and bonds before it restarts.", in: [.catalogue])
    package static let uploadWindow: VendorOption = VendorOption(
        "upload-window", title: "requests under way", .number(UInt8.self), "number",
        help:
            "The most upload requests under way at a time, from 1 to \(UploadWindow.largest). Default: as "
            + "many as the beacon has buffers for.",
        in: [.catalogue]
    ) { text in
        (1...UploadWindow.largest).contains(Int(text) ?? 0)
            ? nil : "\(.uploadWindow) is a number from 1 to \(UploadWindow.largest)"
    }
}

extension SMPPreferences: VendorOptions {
    package static let title = "SMP"
    package static let options: [VendorOption] = [.confirm, .eraseStorage, .uploadWindow]

    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        confirmation = values[.confirm].flatMap(Confirmation.init) ?? confirmation
        erasesStorage = values[.eraseStorage] != nil || erasesStorage
        window = values.number(.uploadWindow) ?? window
    }
}
