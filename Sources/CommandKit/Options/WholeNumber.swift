import ArgumentParser

/// A number on the command line: decimal, or hexadecimal after `0x`.
package struct WholeNumber<Value: FixedWidthInteger & Sendable>: ExpressibleByArgument, Hashable, Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package init?(argument: String) {
        let isHexadecimal = argument.hasPrefix("0x") || argument.hasPrefix("0X")
        let digits = isHexadecimal ? argument.dropFirst(2) : argument[...]
        // Some programs read a leading 0 as octal; and the integers' initialiser would accept a sign.
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            isHexadecimal || digits.count == 1 || digits.first != "0",
            let value = Value(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        self.value = value
    }

    package var defaultValueDescription: String { "\(value)" }
}
