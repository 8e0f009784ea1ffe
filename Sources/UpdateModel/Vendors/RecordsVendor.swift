/// A vendor whose beacons keep records, and report events while a session is open.
public protocol RecordsVendor: SessionVendor {
    associatedtype SummaryQuery: SessionDialogue where SummaryQuery.Ending: RecordSummary
    associatedtype Cursor: RecordCursor where Cursor.Peer == Peer
    /// Waits for an event. Its result is the event as members of JSON output; nil if there was none in time, or if the
    /// dialogue only enabled events.
    associatedtype EventWait: SessionDialogue where EventWait.Ending == [String: Fact]?

    /// The kinds of records, the usual one first.
    var recordKinds: [RecordKind] { get }
    func summary(of kind: RecordKind, from peer: Peer) throws(SessionFailure) -> SummaryQuery
    /// Reads those of the records in `summary` that are selected; `moment` is the time when the summary arrived, in
    /// seconds since 1970.
    func cursor(
        through summary: SummaryQuery.Ending, _ selection: RecordSelection, at moment: UInt32
    ) -> Cursor
    /// Waits up to `limit` for an event of `peer`. With nil it only enables events, which has to happen first.
    func wait(forEventOf peer: Peer, within limit: Duration?) -> EventWait
}

public struct RecordKind: Hashable, Sendable, CustomStringConvertible {
    /// The columns that all kinds have: the number, the time as recorded, and in UTC.
    public static let commonColumns = ["record", "time_raw", "time"]

    public let name: String
    public var description: String { name }
    /// Its name for people; by default the same as `name`.
    public let title: String
    public let columns: [String]

    /// A kind with these columns besides the common ones.
    public init(_ name: String, title: String? = nil, columns: [String]) {
        (self.name, self.title) = (name, title ?? name)
        self.columns = Self.commonColumns + columns
    }
}

/// A record as a row of a table.
public struct RecordRow: Equatable, Sendable {
    /// The number of the record, from 1 for the oldest.
    public let number: Int
    /// The time as recorded, in seconds by the beacon's clock.
    public let recorded: UInt32
    /// The time in seconds since 1970; nil if unknown.
    public let time: UInt32?
    /// Its values, one for each of the kind's own columns.
    public let cells: [String]

    public init(number: Int, recorded: UInt32, time: UInt32?, cells: [String]) {
        (self.number, self.recorded, self.time, self.cells) = (number, recorded, time, cells)
    }
}

public struct RecordSelection: Sendable {
    public let newestFirst: Bool
    /// The number of the first record to read, 1 for the oldest; nil to begin at the newest or oldest.
    public let first: UInt32?
    /// The largest number of records to read; nil for all.
    public let count: Int?

    public init(newestFirst: Bool = false, from first: UInt32? = nil, atMost count: Int? = nil) {
        (self.newestFirst, self.first, self.count) = (newestFirst, first, count)
    }
}

/// A beacon's report of how many records it has.
public protocol RecordSummary: Sendable {
    var total: Int { get }
    /// The number of those that it counts as unread.
    var unread: Int { get }
    /// The beacon's clock in seconds: since 1970 if it was set, otherwise since power-on.
    var clock: UInt32 { get }
}

/// Reads records, page by page.
public protocol RecordCursor: Sendable {
    associatedtype Peer: Sendable
    associatedtype Query: SessionDialogue

    /// The number of records so far.
    var count: Int { get }
    var expected: Int { get }
    /// Whether the last page was received.
    var isOver: Bool { get }
    func query(to peer: Peer) -> Query
    /// Adds a page, and returns those of its records that are selected. Throws if the pages do not reach an end.
    mutating func take(_ page: Query.Ending) throws(SessionFailure) -> [RecordRow]
}
