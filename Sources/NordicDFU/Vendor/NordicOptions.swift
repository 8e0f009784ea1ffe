public import UpdateCore

/// What is asked of Nordic's bootloaders and packages.
public struct NordicOptions: VendorOptions {
    /// Packets per receipt to begin with; nil leaves it to the procedure.
    public var receiptInterval: Int?
    /// The key that the device's bootloader holds; nil where it is not known.
    public var key: NordicPublicKey?

    /// Nothing asked for.
    public init() {}
}
