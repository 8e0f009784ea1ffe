import Bytes

/// A pin of a Dialog chip: port in the high nibble, number in the low one.
package struct Pin: Hashable, Sendable, CustomStringConvertible {
    package let byte: UInt8

    package var description: String { "P\(byte >> 4)_\(byte & 0xF)" }

    init(_ byte: UInt8) { self.byte = byte }

    /// The pin named by `word`, with port and number from 0 to 15.
    init?(_ word: some StringProtocol) {
        let parts = word.uppercased().dropFirst().split(separator: "_", omittingEmptySubsequences: false)
        guard word.first == "P" || word.first == "p", parts.count == 2, let port = Self.number(parts[0]),
            let number = Self.number(parts[1])
        else { return nil }
        byte = port << 4 | number
    }

    private static func number(_ digits: Substring) -> UInt8? {
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return UInt8(digits).flatMap { $0 < 16 ? $0 : nil }
    }
}

/// The pins of the memory that holds the images (dialog-suota.md, Commands). A device does not report them; wrong
/// pins lead to status 14, 16 or 06.
package enum PinMap: Hashable, Sendable, CustomStringConvertible {
    case spi(miso: Pin, mosi: Pin, select: Pin, clock: Pin)
    case i2c(data: Pin, clock: Pin, address: UInt16)

    /// The vendor's own boards with a flash: MISO P0_5, MOSI P0_6, CS P0_3, SCK P0_0.
    package static let vendorSPI = spi(miso: Pin(0x05), mosi: Pin(0x06), select: Pin(0x03), clock: Pin(0x00))
    /// The vendor's own boards with an EEPROM: SDA P0_3, SCL P0_2, address 0x50.
    package static let vendorI2C = i2c(data: Pin(0x03), clock: Pin(0x02), address: 0x50)

    package var memory: MemoryType {
        switch self {
        case .spi: .spi
        case .i2c: .i2c
        }
    }

    /// The pins as sent: SCK, CS, MOSI, MISO; or SDA, SCL, then the address, low byte first.
    package var bytes: [UInt8] {
        switch self {
        case .spi(let miso, let mosi, let select, let clock): [clock.byte, select.byte, mosi.byte, miso.byte]
        case .i2c(let data, let clock, let address): [data.byte, clock.byte] + address.bytes()
        }
    }

    package var number: UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    package var description: String {
        switch self {
        case .spi(let miso, let mosi, let select, let clock):
            "miso=\(miso),mosi=\(mosi),cs=\(select),sck=\(clock)"
        case .i2c(let data, let clock, let address):
            "scl=\(clock),sda=\(data),address=\(HexText.number(address))"
        }
    }
}

package enum PinMapError: Error, Equatable, Sendable, CustomStringConvertible {
    case notKeyAndValue(String)
    /// `key` belongs neither to an SPI flash nor to an I2C EEPROM, or does not fit the other keys.
    case unknownKey(String)
    case repeated(String)
    case missing(String)
    case invalidPin(key: String, value: String)
    /// `value` is not an I2C address of 7 or 10 bits.
    case invalidAddress(String)

    package var description: String {
        switch self {
        case .notKeyAndValue(let word): "\(word) is not key=value; write for example miso=P0_5"
        case .unknownKey(let key):
            "\(key) does not belong here; SPI has miso, mosi, cs and sck, I2C has scl, sda and address"
        case .repeated(let key): "\(key) is given twice"
        case .missing(let key): "\(key) is missing"
        case .invalidPin(let key, let word):
            "\(key)=\(word) is not a pin; write P, port, _, number, such as P0_5"
        case .invalidAddress(let value):
            "address=\(value) is not an I2C address; write 0x50 or 80, at most 0x3ff"
        }
    }
}

extension PinMap {
    private static let spiKeys = ["miso", "mosi", "cs", "sck"]
    private static let i2cKeys = ["scl", "sda", "address"]

    /// Parses pins such as `miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4` or `scl=P0_2,sda=P0_3,address=0x50`, in any order.
    package init(_ words: String) throws(PinMapError) {
        var values: [String: Substring] = [:]
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = word.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw .notKeyAndValue(String(word)) }
            let key = pair[0].trimmed { $0 == " " }.lowercased()
            guard values[key] == nil else { throw .repeated(key) }
            values[key] = pair[1].trimmed { $0 == " " }
        }
        let isI2C = Self.i2cKeys.contains { values[$0] != nil }
        let keys = isI2C ? Self.i2cKeys : Self.spiKeys
        let unknown = values.keys.sorted().first { !keys.contains($0) }
        if let unknown { throw .unknownKey(unknown) }
        if isI2C {
            self = .i2c(
                data: try Self.pin("sda", values), clock: try Self.pin("scl", values),
                address: try Self.address(values))
        } else {
            self = .spi(
                miso: try Self.pin("miso", values), mosi: try Self.pin("mosi", values),
                select: try Self.pin("cs", values), clock: try Self.pin("sck", values))
        }
    }

    private static func pin(_ key: String, _ values: [String: Substring]) throws(PinMapError) -> Pin {
        guard let value = values[key] else { throw .missing(key) }
        guard let pin = Pin(value) else { throw .invalidPin(key: key, value: String(value)) }
        return pin
    }

    /// The address in decimal or, after `0x`, in hexadecimal; 0x50, the usual one of an EEPROM, if it is not given.
    private static func address(_ values: [String: Substring]) throws(PinMapError) -> UInt16 {
        guard let value = values["address"] else { return 0x50 }
        guard let number = UInt16(decimalOrHexadecimal: value), number < 0x400 else {
            throw .invalidAddress(String(value))
        }
        return number
    }
}
