/// Something that holds for every engine that benches share.
///
/// Facts know no test framework, and each has orders and stations of its own: many can be tried on one engine, also at once.
public struct WorkFact<Engine: WorkServerUnderTest>: Sendable, CustomStringConvertible {
    /// What holds.
    public let name: String
    /// What holds.
    public var description: String { name }
    private let body: @Sendable (Engine, Names) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Engine, Names) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every fact.
    public static var all: [WorkFact] {
        claiming + beacons + leases + delivering + standing + golden + holding + orders + stations + catalogue
    }

    /// Tries the fact on `engine`.
    public func check(on engine: Engine) async throws(BrokenFact) {
        do { try await body(engine, Names()) } catch {
            throw (error as? BrokenFact) ?? BrokenFact("it failed with \(error)")
        }
    }
}
