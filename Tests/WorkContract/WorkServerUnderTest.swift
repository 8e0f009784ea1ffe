public import WorkOrders

/// An engine that facts are tried on: what stations cannot do themselves.
public protocol WorkServerUnderTest: Sendable {
    /// What a bench gets its work from.
    associatedtype Source: WorkSource

    /// A source for one more bench, which has not greeted.
    func source() async throws -> Source
    /// Makes an order and releases it.
    func make(_ order: ContractOrder) async throws
    /// Releases an order that is held.
    func release(_ number: String) async throws
    /// Holds an order for `reason`.
    func hold(_ number: String, because reason: String) async throws
    /// Gives an order up.
    func cancel(_ number: String) async throws
    /// Gives all failed units of an order another try.
    func retryUnits(of number: String) async throws
    /// Lets the time of all claims of an order pass.
    func endLeases(of number: String) async throws
    /// Lets minutes pass in which nobody hears of a station.
    func passMinutes(without station: String) async throws
    /// Keeps a file; its SHA-256.
    func put(_ bytes: [UInt8]) async throws -> String
    /// Publishes a catalogue; its version.
    func publish(_ files: [(path: String, bytes: [UInt8])]) async throws -> Int64
    /// Recalls a version of the catalogue.
    func withdraw(_ version: Int64, because why: String) async throws
    /// Recalls a file.
    func recall(_ sha256: String, because why: String) async throws
}

/// An order for a fact.
public struct ContractOrder: Sendable {
    /// Its number.
    public var number: String
    /// What its units get.
    public var firmware = WorkFirmware.ofTray
    /// The keys of each unit that is listed; nil for an order whose units are not.
    public var units: [[String]]?
    /// How many units it has to become.
    public var expected: Int?
    /// So many have to pass first.
    public var golden = 0
    /// So often may a unit fail by itself.
    public var attempts = 1
    /// It is held after so many failures in a row.
    public var consecutive: Int?
    /// It is held after so many failures of the last so many.
    public var share: (failures: Int, ofLast: Int)?
    /// It is held after so many ends for one cause.
    public var sameCause: Int?

    /// An order of listed units, each with one key.
    public init(_ number: String, units: [String]) {
        self.number = number
        self.units = units.map { [$0] }
    }

    /// An order whose units are not listed.
    public init(_ number: String, expected: Int?) {
        self.number = number
        self.expected = expected
    }
}
