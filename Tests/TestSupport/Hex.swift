import Bytes

extension [UInt8] {
    /// The bytes of a hexadecimal text; empty if the text is not hexadecimal, so that a test fails.
    public init(hex text: String) {
        do { self = try HexText.decode(text) } catch { self = [] }
    }
}
