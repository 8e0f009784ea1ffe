import Bytes

/// A pin of a Dialog chip: port in the high nibble, number in the low one.
public struct Pin: Hashable, Sendable {
    /// Its encoding in one byte.
    public let byte: UInt8

    /// The pin `number`, 0 to 15, of `port`, 0 to 15; nil outside of these ranges.
    public init?(port: Int, number: Int) {
        guard (0..<16).contains(port), (0..<16).contains(number) else { return nil }
        byte = UInt8(port << 4 | number)
    }

    init(_ byte: UInt8) { self.byte = byte }

    /// Parses a name such as `P0_3`.
    public init?(_ word: some StringProtocol) {
        let parts = word.uppercased().dropFirst().split(separator: "_", omittingEmptySubsequences: false)
        guard word.first == "P" || word.first == "p", parts.count == 2, let port = Self.number(parts[0]),
            let number = Self.number(parts[1])
        else { return nil }
        self.init(port: port, number: number)
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }
}

extension Pin: CustomStringConvertible {
    /// The chip's name of the pin.
    public var description: String { "P\(byte >> 4)_\(byte & 0xF)" }
}

/// The wiring of the memory with the images (dialog-suota.md, Commands). A device does not report it; wrong pins lead
/// to status 14 or 16.
public enum PinMap: Hashable, Sendable {
    /// A flash.
    case spi(miso: Pin, mosi: Pin, select: Pin, clock: Pin)
    /// An EEPROM with its address on the bus.
    case i2c(data: Pin, clock: Pin, address: UInt16)

    /// The vendor's own boards with a flash: MISO P0_5, MOSI P0_6, CS P0_3, SCK P0_0.
    public static let vendorSPI = PinMap.spi(
        miso: Pin(0x05), mosi: Pin(0x06), select: Pin(0x03), clock: Pin(0x00))
    /// The vendor's own boards with an EEPROM: SDA P0_3, SCL P0_2, address 50.
    public static let vendorI2C = PinMap.i2c(data: Pin(0x03), clock: Pin(0x02), address: 0x50)

    /// The memory type for these pins.
    public var memory: MemoryType {
        switch self {
        case .spi: .spi
        case .i2c: .i2c
        }
    }

    /// The pins as sent: SCK, CS, MOSI, MISO; or SDA, SCL, then the address, low byte first.
    public var bytes: [UInt8] {
        switch self {
        case .spi(let miso, let mosi, let select, let clock):
            return [clock.byte, select.byte, mosi.byte, miso.byte]
        case .i2c(let data, let clock, let address):
            var writer = ByteWriter([data.byte, clock.byte])
            writer.integer(address)
            return writer.bytes
        }
    }

    /// The pins as a number, for logs.
    public var number: UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

extension PinMap: CustomStringConvertible {
    /// The text that ``init(_:)`` reads.
    public var description: String {
        switch self {
        case .spi(let miso, let mosi, let select, let clock):
            "miso=\(miso),mosi=\(mosi),cs=\(select),sck=\(clock)"
        case .i2c(let data, let clock, let address):
            "scl=\(clock),sda=\(data),address=\(HexText.number(address))"
        }
    }
}
