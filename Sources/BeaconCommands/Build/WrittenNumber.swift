import ArgumentParser

/// A number on the command line: decimal, or hexadecimal behind `0x`.
struct WrittenNumber<Value: FixedWidthInteger & Sendable>: ExpressibleByArgument, Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init?(argument: String) {
        let isHexadecimal = argument.hasPrefix("0x")
        let digits = isHexadecimal ? argument.dropFirst(2) : argument[...]
        // The initialiser of integers takes a sign, too.
        guard digits.first?.isHexDigit == true, let value = Value(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        self.value = value
    }

    var defaultValueDescription: String { "\(value)" }
}
