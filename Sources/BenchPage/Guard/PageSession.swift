import Bytes

/// A role. Each includes the rights of the roles before it.
package enum PageRole: String, CaseIterable, Comparable, Sendable {
    case viewer
    /// May operate the bench.
    case worker = "operator"
    /// May release holds.
    case approver

    package static func < (one: PageRole, other: PageRole) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A browser that has shown a token.
struct PageSession: Hashable, Sendable {
    /// The value of its cookie.
    let id: PageToken
    /// The CSRF token that its changing requests have to repeat.
    let csrf: PageToken
    let user: PageUser
    var lastUsed: Duration

    var owner: String { "session " + id.text }

    var json: JSONValue {
        .members([
            "schema": .integer(1), "role": .text(user.role.rawValue), "name": .optional(user.name),
            "csrf": .text(csrf.text),
        ])
    }
}

package struct PageUser: Hashable, Sendable {
    package let role: PageRole
    /// The name that the user gave; nil for none.
    package let name: String?

    package init(_ role: PageRole, name: String? = nil) { (self.role, self.name) = (role, name) }

    /// The name for records. It shows that the name was entered on a page, without a login.
    package var recordedName: String {
        name.map { "\($0) (page, \(role.rawValue))" } ?? "page (\(role.rawValue))"
    }

    /// `given` without invisible characters, cut to the limit; nil if nothing is left.
    static func name(_ given: String) -> String? {
        var name = String.UnicodeScalarView()
        var bytes = 0
        for scalar in given.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: continue
            default: bytes += String(scalar).utf8.count
            }
            guard bytes <= PageLimits.nameBytes else { break }
            name.append(scalar)
        }
        let words = String(name).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}

/// A secret that a browser shows: 160 random bits from the kernel.
struct PageToken: Hashable, Sendable, CustomStringConvertible {
    /// 40 hexadecimal digits.
    let text: String

    static func random() -> PageToken {
        var generator = SystemRandomNumberGenerator()
        return PageToken(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        let digits = Array("0123456789abcdef")
        text = String((0..<40).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    init(_ text: String) { self.text = text }

    /// Whether `other` is equal, compared in constant time.
    func isEqual(to other: String) -> Bool {
        let (one, two) = (Array(text.utf8), Array(other.utf8))
        guard one.count == two.count else { return false }
        return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether an Authorization header contains it (RFC 6750).
    func isBearer(_ header: String) -> Bool {
        let words = header.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer" && isEqual(to: String(words[1]))
    }

    /// Does not contain the secret, which could end up in a log.
    var description: String { "a token" }
}
