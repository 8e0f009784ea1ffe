public import UpdateModel

/// Options for Nordic's bootloaders and packages.
public struct NordicOptions: VendorOptions {
    /// Initial packets per receipt; nil lets the procedure choose.
    public var receiptInterval: Int?
    /// The public key in the bootloader; nil if it is not known.
    public var key: NordicPublicKey?

    /// The default options.
    public init() {}
}
