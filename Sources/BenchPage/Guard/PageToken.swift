/// A secret that a browser shows: 160 random bits from the kernel.
public struct PageToken: Hashable, Sendable {
    /// 40 hexadecimal digits.
    public let text: String

    /// A new random token.
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

    /// Whether `other` is equal, compared in constant time.
    func isSame(as other: String) -> Bool {
        let (one, two) = (Array(text.utf8), Array(other.utf8))
        guard one.count == two.count else { return false }
        return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether an Authorization header contains it (RFC 6750).
    func isBearer(_ header: String) -> Bool {
        let words = header.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer" && isSame(as: String(words[1]))
    }
}

extension PageToken: CustomStringConvertible {
    /// Does not contain the secret, which could end up in a log.
    public var description: String { "a token" }
}
