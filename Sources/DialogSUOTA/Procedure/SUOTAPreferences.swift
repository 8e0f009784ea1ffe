public import UpdateCore

/// How an image travels.
public enum SUOTATransport: String, CaseIterable, Sendable {
    /// In writes to the service, block by block.
    case gatt
    /// Over an L2CAP channel of its own, which DA1468x and DA1469x may offer.
    case l2cap
}

/// What a user may ask for; without anything, what fits most devices.
public struct SUOTAPreferences: Hashable, Sendable {
    /// The memory and its pins; those of the chip maker's boards until others are named. DA1468x and DA1469x have none.
    public var pins = PinMap.vendorSPI { didSet { namesPins = true } }
    /// Whether somebody has named the pins.
    public private(set) var namesPins = false
    /// The image to be overwritten.
    public var bank = ImageBank.oldest
    /// What is done although the device speaks against it.
    public var risks: Set<Risk> = []
    /// Bytes of a block; nil leaves that to the procedure.
    public var blockSize: Int?
    /// Bytes of a packet; nil leaves that to the procedure.
    public var chunkSize: Int?
    /// How the image travels; nil takes the channel where there is one.
    public var transport: SUOTATransport?
    /// Whether the device checks a signature once it has verified the image, and says with a second status what it
    /// thinks of it; stock firmware does not.
    public var awaitsSignature = false
    /// The largest payload that a bank of the device takes, where that is known.
    public var bankLimit: Int?
    /// What the new firmware has to call itself; nil takes the version of the image's header.
    public var versionText: String?
    /// Whether every packet is told of. They are many, and each costs a step.
    public var reportsChunks = false

    /// What holds unless somebody asks for something else.
    public init() {}
}
