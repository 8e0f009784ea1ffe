public import UpdateModel

/// How an image is sent.
public enum SUOTATransport: String, CaseIterable, Sendable {
    /// In writes to the service, block by block.
    case gatt
    /// Over a separate L2CAP channel, which DA1468x and DA1469x may offer.
    case l2cap
}

/// A user's options; the defaults fit most devices.
public struct SUOTAPreferences: Hashable, Sendable {
    /// The memory and its pins; by default those of the chip maker's boards. DA1468x and DA1469x have none.
    public var pins = PinMap.vendorSPI { didSet { namesPins = true } }
    /// Whether the pins were set explicitly.
    public private(set) var namesPins = false
    /// The image to overwrite.
    public var bank = ImageBank.oldest
    /// The risks that the user accepts.
    public var risks: Set<Risk> = []
    /// Bytes per block; nil lets the procedure choose.
    public var blockSize: Int?
    /// Bytes per packet; nil lets the procedure choose.
    public var chunkSize: Int?
    /// How the image is sent; nil uses a channel if there is one.
    public var transport: SUOTATransport?
    /// Whether the device checks a signature once it has verified the image, and reports the result with a second
    /// status; stock firmware does not.
    public var awaitsSignature = false
    /// The largest payload for a bank of the device, if known.
    public var bankLimit: Int?
    /// The version text that the new firmware has to report; nil uses the version in the image's header.
    public var versionText: String?
    /// Whether to report every packet. There are many, and each costs a step.
    public var reportsChunks = false

    /// The default options.
    public init() {}
}
