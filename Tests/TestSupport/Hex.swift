import Bytes

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
