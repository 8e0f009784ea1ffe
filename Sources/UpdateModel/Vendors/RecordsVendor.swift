/// A vendor whose beacons keep records, and report events while a session is open.
public protocol RecordsVendor: SessionVendor {
    associatedtype SummaryQuery: SessionDialogue where SummaryQuery.Ending: RecordSummary
    associatedtype Cursor: RecordCursor where Cursor.Peer == Peer
    /// Waits for an event. Its result is the members of JSON output; nil if there was none in time, or after enabling
    /// events.
    associatedtype EventWait: SessionDialogue where EventWait.Ending == [String: Fact]?

    /// The kinds of records, the usual one first.
    var recordKinds: [RecordKind] { get }
    func summary(of kind: RecordKind, from peer: Peer) throws(SessionFailure) -> SummaryQuery
    /// Reads the selected ones of the records in `summary`; `moment` is the time when it arrived, in seconds since
    /// 1970.
    func cursor(
        through summary: SummaryQuery.Ending, _ selection: RecordSelection, at moment: UInt32
    ) -> Cursor
    /// Waits `limit` for an event of `peer`; without a limit it enables events, which has to happen first.
    func wait(forEventOf peer: Peer, within limit: Duration?) -> EventWait
}

public struct RecordKind: Hashable, Sendable, CustomStringConvertible {
    /// The columns that all kinds have: the number, the time as recorded, and in UTC.
    public static let commonColumns = ["record", "time_raw", "time"]

    public let name: String
    public var description: String { name }
    /// Its name for people, if that says more.
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
    /// Its number; the oldest one is 1.
    public let number: Int
    /// The time as recorded.
    public let recorded: UInt32
    /// In seconds since 1970; nil if unknown.
    public let time: UInt32?
    /// Its values, one for each of the kind's own columns.
    public let cells: [String]

    public init(number: Int, recorded: UInt32, time: UInt32?, cells: [String]) {
        (self.number, self.recorded, self.time, self.cells) = (number, recorded, time, cells)
    }
}

public struct RecordSelection: Sendable {
    public let newestFirst: Bool
    /// The first one, from 1 for the oldest; nil for the first in order.
    public let first: UInt32?
    /// The most records; nil for all.
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
    /// The beacon's clock.
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
    /// Adds a page; returns the wanted ones of its records. Throws if the pages do not lead to an end.
    mutating func take(_ page: Query.Ending) throws(SessionFailure) -> [RecordRow]
}
