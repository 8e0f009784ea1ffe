import FoundationEssentials

/// A fact that holds for every work server that benches share.
///
/// Facts are independent of a test framework, and each has orders and stations of its own: many can be checked on one
/// work server, also at once.
package struct WorkFact<Engine: WorkServerUnderTest>: Sendable, CustomStringConvertible {
    /// The fact in words.
    package let name: String
    /// The fact in words.
    package var description: String { name }
    private let body: @Sendable (Engine, Names) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Engine, Names) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every fact.
    package static var all: [WorkFact] {
        claiming + beacons + leases + delivering + standing + golden + holding + orders + stations + catalogue
    }

    /// Checks the fact on `engine`.
    package func check(on engine: Engine) async throws(BrokenFact) {
        do { try await body(engine, Names()) } catch {
            throw (error as? BrokenFact) ?? BrokenFact("it failed with \(error)")
        }
    }
}

/// A violated fact.
public struct BrokenFact: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was seen instead.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Reports the fact as violated unless `condition` holds.
func require(_ condition: Bool, _ seen: @autoclosure () -> String) throws(BrokenFact) {
    guard condition else { throw BrokenFact(seen()) }
}

/// Reports the fact as violated unless both are the same.
func require<Value: Equatable>(_ seen: Value, is wanted: Value) throws(BrokenFact) {
    try require(seen == wanted, "\(seen), and not \(wanted)")
}

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
