import ArgumentParser

/// A number of 32 bits, decimal or with `0x`.
struct WholeNumber: ExpressibleByArgument {
    let value: UInt32

    init?(argument: String) {
        let isHex = argument.hasPrefix("0x") || argument.hasPrefix("0X")
        let digits = isHex ? argument.dropFirst(2) : argument[...]
        // A leading 0 means octal to some and nothing to others.
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            isHex || digits.count == 1 || digits.first != "0",
            let value = UInt32(digits, radix: isHex ? 16 : 10)
        else { return nil }
        self.value = value
    }
}
