/// The user of a request.
public struct PageUser: Hashable, Sendable {
    /// Their role.
    public let role: PageRole
    /// Their name as they gave it; nil for none.
    public let name: String?

    /// Creates a user with these values.
    public init(_ role: PageRole, name: String? = nil) { (self.role, self.name) = (role, name) }

    /// The name for records, which shows that it was entered on a page and not verified by a login.
    public var words: String {
        name.map { "\($0) (page, \(role.rawValue))" } ?? "page (\(role.rawValue))"
    }

    /// A given name without invisible characters, cut to the limit; nil if nothing is left.
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
