public import Bluetooth

/// A fact that holds for every adapter, whatever its implementation.
///
/// Facts are independent of a test framework: the test suite checks them on simulated adapters, and a plain executable
/// on a kernel's.
public struct AdapterFact<Subject: Adapter>: Sendable, CustomStringConvertible {
    /// The longest that any fact takes, on the slowest air.
    private static var limit: Duration { .seconds(60) }

    /// The fact in words.
    public let name: String
    /// The fact in words.
    public var description: String { name }
    private let body: @Sendable (Subject, Peers) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Subject, Peers) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every fact, in an order in which they can be checked on one adapter.
    public static var all: [AdapterFact] { listening + opening + sessions + channels + scopes + security }

    /// Checks the fact on `adapter`, with `peers` on its air.
    public func check(on adapter: Subject, with peers: Peers) async throws(BrokenFact) {
        let isDone: Void?
        do { isDone = try await adapter.time.within(Self.limit) { try await body(adapter, peers) } } catch {
            throw (error as? BrokenFact) ?? BrokenFact("it failed with \(error)")
        }
        guard isDone != nil else { throw BrokenFact("it was not done after \(Self.limit)") }
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
