import Bytes

/// Why a text does not describe pins.
public enum PinMapError: Error, Equatable, Sendable {
    /// `word` is not `key=value`.
    case noPair(String)
    /// `key` belongs neither to an SPI flash nor to an I2C EEPROM, or does not fit the other keys.
    case unknownKey(String)
    /// `key` is given twice.
    case repeated(String)
    /// `key` is missing.
    case missing(String)
    /// `value` of `key` is not a pin.
    case noPin(key: String, value: String)
    /// `value` is not an I2C address of 7 or 10 bits.
    case noAddress(String)
}

extension PinMapError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .noPair(let word): "pins: \(word) is not key=value; write for example miso=P0_5"
        case .unknownKey(let key):
            "pins: \(key) does not belong here; SPI has miso, mosi, cs and sck, I2C has scl, sda and address"
        case .repeated(let key): "pins: \(key) is given twice"
        case .missing(let key): "pins: \(key) is missing"
        case .noPin(let key, let value):
            "pins: \(key)=\(value) is not a pin; write P, port, _, number, such as P0_5"
        case .noAddress(let value):
            "pins: address=\(value) is not an I2C address; write 0x50 or 80, at most 0x3ff"
        }
    }
}

extension PinMap {
    private static let spiKeys = ["miso", "mosi", "cs", "sck"]
    private static let i2cKeys = ["scl", "sda", "address"]

    /// Parses pins such as `miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4` or `scl=P0_2,sda=P0_3,address=0x50`, in any order.
    public init(_ words: String) throws(PinMapError) {
        var values: [String: Substring] = [:]
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = word.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw .noPair(String(word)) }
            let key = Self.trimmed(pair[0]).lowercased()
            guard values[key] == nil else { throw .repeated(key) }
            values[key] = Self.trimmed(pair[1])
        }
        let isI2C = Self.i2cKeys.contains { values[$0] != nil }
        let keys = isI2C ? Self.i2cKeys : Self.spiKeys
        if let foreign = values.keys.sorted().first(where: { !keys.contains($0) }) {
            throw .unknownKey(foreign)
        }
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

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return start }
        return start[...last]
    }

    private static func pin(_ key: String, _ values: [String: Substring]) throws(PinMapError) -> Pin {
        guard let value = values[key] else { throw .missing(key) }
        guard let pin = Pin(value) else { throw .noPin(key: key, value: String(value)) }
        return pin
    }

    /// 80 and 0x50 are equal; the default address of an EEPROM is 50.
    private static func address(_ values: [String: Substring]) throws(PinMapError) -> UInt16 {
        guard let value = values["address"] else { return 0x50 }
        let isHexadecimal = value.lowercased().hasPrefix("0x")
        let number = isHexadecimal ? UInt16(value.dropFirst(2), radix: 16) : UInt16(value)
        guard let number, number < 0x400 else { throw .noAddress(String(value)) }
        return number
    }
}
