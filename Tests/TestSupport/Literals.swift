import Bytes
public import UpdateModel

extension [UInt8] {
    /// The bytes of a hexadecimal text; empty if the text is not hexadecimal, so that a test fails.
    public init(hex text: String) {
        do { self = try HexText.decode(text) } catch { self = [] }
    }

    /// Two digits a byte.
    package var hex: String { HexText.encode(self) }
}

extension UInt32 {
    /// Little-endian, as on the air.
    package var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}

/// All the ways of damaging a byte string that every parser has to survive.
public enum Corruption {
    /// Every proper prefix, the empty one first.
    public static func prefixes(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.map { Array(bytes.prefix($0)) }
    }

    /// The bytes with one of them changed: by its lowest bit, its highest bit, and all bits.
    public static func flips(of bytes: [UInt8]) -> [(index: Int, bytes: [UInt8])] {
        bytes.indices.flatMap { index in
            ([0x01, 0x80, 0xFF] as [UInt8]).map { mask in
                var changed = bytes
                changed[index] ^= mask
                return (index, changed)
            }
        }
    }
}

/// Tests compare codes with their names. The program cannot: there, a name that no group declares does not compile.
extension FailureCode: ExpressibleByStringLiteral {
    /// The code `name`.
    public convenience init(stringLiteral name: String) { self.init(named: name) }
}
