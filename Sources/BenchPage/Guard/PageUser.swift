/// Who wants something.
public struct PageUser: Hashable, Sendable {
    /// What they may do.
    public let role: PageRole
    /// Who they are, as they have said; nil where they have not.
    public let name: String?

    /// A user as described.
    public init(_ role: PageRole, name: String? = nil) { (self.role, self.name) = (role, name) }

    /// As records name them: that it was said at a page, and not by a login, is part of it.
    public var words: String {
        name.map { "\($0) (page, \(role.rawValue))" } ?? "page (\(role.rawValue))"
    }

    /// The name that somebody has given, without what nobody would see, as far as it is kept; nil where nothing is left.
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
