/// What a product with SUOTA is made of, beside its chip and SDK.
public struct SUOTABoard: Hashable, Sendable {
    /// Where a 58x keeps its banks.
    public enum Memory: Hashable, Sendable {
        /// Flash on SPI.
        case spi
        /// EEPROM on I2C.
        case i2c
    }

    /// Where a 58x keeps its banks.
    public var memory = Memory.spi
    /// The GPIO_MAP that reaches that memory; nil for any. The vendor's default.
    public var pins: UInt32? = 0x0506_0300
    /// What a 58x says when it cannot reach its memory: 16, or 14 where it reads rubbish.
    public var wrongPinsStatus = ReceiverStatus.memoryRead
    /// Where the product header of a 58x lies; nil without one.
    public var productHeader: Int?
    /// The image in bank 1, or the one that runs.
    public var first: SUOTAFirmware? = SUOTAFirmware()
    /// The image in bank 2.
    public var second: SUOTAFirmware?
    /// Whether its firmware resets when it should: after REBOOT, and after a lost link on 68x and 69x.
    public var resets = true
    /// 58x: how long its firmware checks a signature once the XOR is right; only then the image counts, and a second
    /// status says so. Nil for stock firmware, which checks none.
    public var signatureCheck: Duration?
    /// Whether that check finds the signature good.
    public var signatureHolds = true
    /// Whether encrypted images can start.
    public var decrypts = false
    /// Links to others that the device has at the same time.
    public var otherLinks = 0

    /// A board for `personality` with its product header where its firmware looks for it.
    public init(_ personality: SUOTAPersonality) {
        productHeader = personality.family == .da1458x ? personality.productHeader : nil
    }
}
