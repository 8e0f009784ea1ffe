package import Work

/// A work server under test: operations that stations cannot do themselves.
package protocol WorkServerUnderTest: Sendable {
    /// The source of a bench's work.
    associatedtype Source: WorkSource

    /// A source for one more bench, before its first heartbeat.
    func source() async throws -> Source
    /// Creates an order and releases it.
    func make(_ order: ContractOrder) async throws
    /// Releases an order that is held.
    func release(_ number: String) async throws
    /// Holds an order for `reason`.
    func hold(_ number: String, because reason: String) async throws
    /// Cancels an order.
    func cancel(_ number: String) async throws
    /// Allows another attempt for all failed units of an order.
    func retryUnits(of number: String) async throws
    /// Lets all leases of an order expire.
    func endLeases(of number: String) async throws
    /// Passes minutes without a heartbeat of a station.
    func passMinutes(without station: String) async throws
    /// Stores a file; returns its SHA-256.
    func put(_ bytes: [UInt8]) async throws -> String
    /// Publishes a catalogue; returns its version.
    func publish(_ files: [(path: String, bytes: [UInt8])]) async throws -> Int64
    /// Recalls a version of the catalogue.
    func withdraw(_ version: Int64, because why: String) async throws
    /// Recalls a file.
    func recall(_ sha256: String, because why: String) async throws
}

/// An order for a fact.
package struct ContractOrder: Sendable {
    /// Its number.
    package var number: String
    /// The firmware of its units.
    package var firmware = WorkFirmware.ofTray
    /// The keys of each listed unit; nil for an order whose units are not listed.
    package var units: [[String]]?
    /// The expected number of units.
    package var expected: Int?
    /// The number of units that have to pass first.
    package var golden = 0
    /// The failures of a unit after which it is not retried automatically.
    package var attempts = 1
    /// Held after this many consecutive failures.
    package var consecutive: Int?
    /// Held after this many failures among the last results of a window.
    package var share: (failures: Int, ofLast: Int)?
    /// Held after this many results with the same cause.
    package var sameCause: Int?

    /// An order of listed units, each with one key.
    package init(_ number: String, units: [String]) {
        self.number = number
        self.units = units.map { [$0] }
    }

    /// An order whose units are not listed.
    package init(_ number: String, expected: Int?) {
        self.number = number
        self.expected = expected
    }
}
