public enum HexText {
    /// Two digits a byte, lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digits of `value`, as many as its type has, without prefix.
    public static func digits(
        _ value: some FixedWidthInteger & UnsignedInteger, uppercase: Bool = false
    ) -> String {
        let digits = String(value, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
    }

    /// `value` in source notation: its digits after `0x`, without leading zeros.
    public static func number(_ value: some BinaryInteger, uppercase: Bool = false) -> String {
        "0x" + String(value, radix: 16, uppercase: uppercase)
    }

    /// The bytes of `text`: digits in either case, white space ignored.
    ///
    /// The error's offset counts the digits before the invalid one.
    public static func decode(_ text: String) throws(ByteError) -> [UInt8] {
        var nibbles: [UInt8] = []
        // By scalars: Swift counts a character that begins with a space as white space, even with combining marks.
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            guard scalar.isASCII, let value = Character(scalar).hexDigitValue else {
                throw ByteError(offset: nibbles.count, field: "hexadecimal text", reason: .notHexadecimal)
            }
            nibbles.append(UInt8(value))
        }
        guard nibbles.count.isMultiple(of: 2) else {
            throw ByteError(offset: nibbles.count, field: "hexadecimal text", reason: .notHexadecimal)
        }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension FixedWidthInteger {
    /// The number in `text`: decimal, or hexadecimal after `0x` or `0X`; nil for anything else.
    package init?(decimalOrHexadecimal text: some StringProtocol) {
        if text.lowercased().hasPrefix("0x") {
            self.init(text.dropFirst(2), radix: 16)
        } else {
            self.init(text)
        }
    }
}
