/// A secret that a browser shows: 160 random bits from the kernel.
public struct PageToken: Hashable, Sendable {
    /// 40 hexadecimal digits.
    public let text: String

    /// Another one each time.
    public static func random() -> PageToken {
        var generator = SystemRandomNumberGenerator()
        return PageToken(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        let digits = Array("0123456789abcdef")
        text = String((0..<40).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    /// The secret `text`.
    init(_ text: String) { self.text = text }

    /// Whether `other` is the same, in a time that does not tell how much of it is.
    func isSame(as other: String) -> Bool {
        let (one, two) = (Array(text.utf8), Array(other.utf8))
        guard one.count == two.count else { return false }
        return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether a header Authorization shows it (RFC 6750).
    func isBearer(_ header: String) -> Bool {
        let words = header.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer" && isSame(as: String(words[1]))
    }
}

extension PageToken: CustomStringConvertible {
    /// Not the secret: it would be in a log one day.
    public var description: String { "a token" }
}
