package import Bytes
package import UpdateModel

/// The user's choices for updates of Nordic's devices.
package struct NordicOptions: VendorOptions {
    /// The initial number of packets per receipt; nil lets the procedure choose.
    package var receiptInterval: Int?
    /// The name that the application is asked to give its bootloader; nil for a random one.
    package var bootloaderName: String?
    package var givesNoName = false
    /// The public key in the bootloader; nil if it is not known.
    package var key: NordicPublicKey?
    /// The kind of the given key if it is not P-256, so that no package can be checked with it; nil otherwise.
    package var unsupportedKeyKind: SignatureKey.Kind?

    package init() {}

    /// The help lists these options with the others for links and bootloaders.
    package static let title = TransferOptions.title
    package static let options: [VendorOption] = [.receiptInterval, .bootloaderName, .noBootloaderName]

    package static func flaw(in values: OptionValues) -> Advice? {
        values[.bootloaderName] != nil && values.isSet(.noBootloaderName)
            ? "give \(.bootloaderName) or \(.noBootloaderName), not both" : nil
    }

    /// If the user requests a name or no name, the catalogue's options for the name do not apply.
    package static func completed(_ values: OptionValues, by model: OptionValues) -> OptionValues {
        var all = values
        all[.receiptInterval] = values[.receiptInterval] ?? model[.receiptInterval]
        guard values[.bootloaderName] == nil, values[.noBootloaderName] == nil else { return all }
        for option in [VendorOption.bootloaderName, .noBootloaderName] { all[option] = model[option] }
        return all
    }

    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        receiptInterval = values.number(.receiptInterval)
        bootloaderName = values[.bootloaderName]
        givesNoName = values.isSet(.noBootloaderName)
    }
}

extension VendorOption {
    static let receiptInterval = VendorOption(
        "prn", title: "receipt interval", .number(UInt16.self), "packets",
        help: "Initial packets per receipt; 0 for none. Default: by MTU; 8 for Legacy DFU.", in: [.catalogue])
    package static let bootloaderName: VendorOption = VendorOption(
        "bootloader-name", title: "name of the bootloader", .text, "text",
        help:
            "The name that a Secure bootloader is given for the update, 1 to 18 bytes. Default: a random one. Two units with the same name at the same time differ only in their addresses.",
        in: [.catalogue, .tray]
    ) { (1...18).contains($0.utf8.count) ? nil : "\(.bootloaderName) is a name of 1 to 18 bytes" }
    static let noBootloaderName = VendorOption(
        "no-bootloader-name", title: "bootloader without a name", .flag,
        help:
            "Give the bootloader no name, for applications that fail at the request. It is recognised by its address only, after a scan for its neighbours.",
        in: [.catalogue, .tray])
}
