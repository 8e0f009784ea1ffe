/// Numbers as lower-case hexadecimal digits without prefix, as many as their type has.
enum Hexadecimal {
    static func digits(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
    }
}
