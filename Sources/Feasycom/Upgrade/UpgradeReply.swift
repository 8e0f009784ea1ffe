/// The answer of a device to `EnterDFU` (fbeacon.md, Entering).
///
///     0   2  OK
///     2   1  a separator
///     3   4  application version, hexadecimal, low byte first
///     7   4  bootloader version
///     11  4  model number
struct UpgradeReply: Equatable, Sendable {
    let version: UInt16
    let bootloader: UInt16
    let model: UInt16

    static let length = 15

    /// The first reply in the received bytes; nil if there is none yet.
    init?(in bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= Self.length {
            if rest.starts(with: Array("OK".utf8)) {
                let fields = rest.dropFirst(3).prefix(12)
                let numbers = (0..<3).compactMap { Self.number(fields.dropFirst($0 * 4).prefix(4)) }
                if numbers.count == 3 {
                    (version, bootloader, model) = (numbers[0], numbers[1], numbers[2])
                    return
                }
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
        let isHexadecimal = digits.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF)
        }
        guard isHexadecimal, let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return nil
        }
        return value.byteSwapped
    }

    /// Models that continue over the same link (fbeacon.md, Entering).
    private static let staying: Set<UInt16> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    /// Whether the upgrade continues over the same link; otherwise over a new one.
    var staysConnected: Bool { Self.staying.contains(model) }
}
