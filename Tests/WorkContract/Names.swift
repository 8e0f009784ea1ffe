import FoundationEssentials

/// Names that no other fact uses.
struct Names: Sendable {
    private let suffix = String(UUID().uuidString.prefix(13))

    func order(_ name: String) -> String { "\(name)-\(suffix)" }
    func station(_ name: String) -> String { "\(name)-\(suffix)" }
    /// A key of a beacon, in the form of another vendor's ids.
    func key(_ name: String) -> String { "id:\(name)-\(suffix)".lowercased() }
    func keys(_ count: Int) -> [String] { (0..<count).map { key("n\($0)") } }

    static func uuid() -> String { UUID().uuidString.lowercased() }
}
