package import UpdateModel

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
