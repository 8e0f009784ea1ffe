/// The board of a product with SUOTA: everything except chip and SDK.
public struct SUOTABoard: Hashable, Sendable {
    /// The memory that holds the banks of a 58x.
    public enum Memory: Hashable, Sendable {
        /// Flash on SPI.
        case spi
        /// EEPROM on I2C.
        case i2c
    }

    /// The memory that holds the banks of a 58x.
    public var memory = Memory.spi
    /// The GPIO_MAP that selects that memory; nil for any. The default is the vendor's.
    public var pins: UInt32? = 0x0506_0300
    /// The status of a 58x that cannot access its memory: 16, or 14 if it reads garbage.
    public var wrongPinsStatus = ReceiverStatus.memoryRead
    /// The address of the product header of a 58x; nil without one.
    public var productHeader: Int?
    /// The image in bank 1, or the running one.
    public var first: SUOTAFirmware? = SUOTAFirmware()
    /// The image in bank 2.
    public var second: SUOTAFirmware?
    /// Whether its firmware resets when it must: after REBOOT, and after a lost link on 68x and 69x.
    public var resets = true
    /// 58x: how long its firmware checks a signature after a correct XOR; the image is valid only after that, and a
    /// second status reports it. Nil for stock firmware, which checks none.
    public var signatureCheck: Duration?
    /// Whether that check accepts the signature.
    public var signatureHolds = true
    /// Whether encrypted images can start.
    public var decrypts = false
    /// The number of links that the device has to other centrals.
    public var otherLinks = 0

    /// A board for `personality` with its product header where its firmware expects it.
    public init(_ personality: SUOTAPersonality) {
        productHeader = personality.family == .da1458x ? personality.productHeader : nil
    }
}
