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
        claiming + beacons + leases + delivering + status + golden + holding + orders + stations + catalogue
    }

    /// Checks the fact on `engine`.
    package func check(on engine: Engine) async throws(BrokenFact) {
        do { try await body(engine, Names()) } catch {
            throw (error as? BrokenFact) ?? BrokenFact("it failed with \(error)")
        }
    }
}
