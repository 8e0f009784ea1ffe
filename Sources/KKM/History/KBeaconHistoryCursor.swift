import Bytes
package import UpdateModel

/// Reads a KBeacon's records, page by page (kbeacon.md, Records).
///
/// It does not change the beacon: the order of reading that moves its pointer to the unread records is never used.
package struct KBeaconHistoryCursor: Sendable {
    /// The order of reading; neither moves the beacon's pointer.
    package enum Order: UInt8, Sendable {
        case oldestFirst = 0
        case newestFirst = 1
    }

    /// The maximum number of pages; their positions are kept, to detect a loop.
    static let maximumPages = 1 << 16
    /// How many more records than reported a beacon may have, because it records while it is read.
    static let maximumNew = 4096
    /// The connection interval to request, in units of 1.25 ms: 30 ms. The second generation requires this field.
    private static let interval: UInt8 = 24
    private static let step = "reading the records"

    package private(set) var count = 0
    /// The number of the first record, from 1 for the oldest: the next ones count up, or down if the newest come first.
    package let first: Int
    /// The number of records that will probably be read.
    package let expected: Int
    private let kind: KBeaconRecordKind
    private let order: Order
    /// The maximum number of records to return, nil for no limit; and the number above which the beacon is faulty.
    private let wanted: Int?
    private let limit: Int
    /// The position of the next records; nil after the last.
    private var position: UInt32?
    private var visited: Set<UInt32> = []

    /// Reads the records of `summary`, from the record with `number`, which is 1 for the oldest, or, if that is nil,
    /// from the first one in `order`; at most `wanted` records.
    package init(
        through summary: KBeaconHistorySummary, _ order: Order = .oldestFirst, from number: UInt32? = nil,
        atMost wanted: Int? = nil
    ) {
        (kind, self.order, self.wanted) = (summary.kind, order, wanted)
        limit = summary.total + Self.maximumNew
        let number = number.map { max(1, Int($0)) }
        let all: Int
        switch order {
        case .oldestFirst:
            first = number ?? 1
            all = max(0, summary.total - first + 1)
            // The index of a record, from 0. FFFFFFFF, which starts the other order, is not known to work in this one.
            position = UInt32(exactly: first - 1)
        case .newestFirst:
            first = min(number ?? summary.total, summary.total)
            all = first
            position = first < summary.total ? UInt32(exactly: first - 1) : KBeaconRecordPage.noPosition
        }
        expected = min(all, wanted ?? all)
        if expected <= 0 { position = nil }
    }

    /// The number of the record after the first `count` records.
    package func number(after count: Int) -> Int { order == .oldestFirst ? first + count : first - count }

    /// Asks `peer` how many records of `kind` it has.
    package static func summary(
        of kind: KBeaconRecordKind, asking peer: KBeaconQuery.Peer
    ) -> KBeaconRecordQuery<KBeaconHistorySummary> {
        let generation = peer.identity.generation
        let exchange = KBeaconExchange(
            kind.summaryQuery, .binary(generation), on: peer.terms, during: step)
        return KBeaconRecordQuery(exchange) { (answer) throws(SessionFailure) in
            guard let summary = KBeaconHistorySummary(answer: answer, of: kind, generation) else {
                throw malformed("the answer of \(answer.count) bytes is not a summary of these records")
            }
            return summary
        }
    }

    package var isOver: Bool { position == nil }

    package func query(to peer: KBeaconQuery.Peer) -> KBeaconRecordQuery<KBeaconRecordPage> {
        let exchange = KBeaconExchange(
            pageQuery(in: peer.identity.generation), .binary(peer.identity.generation), on: peer.terms,
            during: Self.step)
        return KBeaconRecordQuery(exchange) { [kind] (answer) throws(SessionFailure) in
            do throws(ByteError) { return try KBeaconRecordPage(answer: answer, of: kind) } catch {
                throw Self.malformed("the records cannot be parsed: \(error)")
            }
        }
    }

    /// The query for the next page.
    ///
    ///     0  1  02
    ///     1  1  kind
    ///     2  4  position
    ///     6  2  the maximum number of records
    ///     8  1  order
    ///     9  1  connection interval; in the second generation only
    func pageQuery(in generation: KBeaconGeneration) -> [UInt8] {
        var writer = ByteWriter([0x02, kind.rawValue])
        writer.integer(position ?? 0, .big)
        // The number that other clients request too, and that the longest answer of either generation holds.
        let most = generation == .first ? 100 : 200
        writer.integer(UInt16(clamping: min(most, wanted.map { $0 - count } ?? most)), .big)
        writer.append([order.rawValue])
        if generation == .second { writer.append([Self.interval]) }
        return writer.bytes
    }

    /// Adds the requested page; returns those of its records that are wanted. Throws if the pages do not end.
    @discardableResult
    package mutating func add(_ page: KBeaconRecordPage) throws(SessionFailure) -> ArraySlice<KBeaconRecord> {
        if let position { visited.insert(position) }
        let records = page.records.prefix(wanted.map { max(0, $0 - count) } ?? .max)
        count += records.count
        guard count <= limit else {
            throw Self.endless("the beacon sends many more records than it reported")
        }
        position = nil
        if let wanted, count >= wanted { return records }
        if let next = page.next {
            guard !page.records.isEmpty, !visited.contains(next) else {
                throw Self.malformed("the beacon points back to earlier records, or to none")
            }
            guard visited.count < Self.maximumPages else {
                throw Self.endless("the records do not end after \(visited.count) answers")
            }
        }
        position = page.next
        return records
    }

    private static func malformed(_ message: String) -> SessionFailure {
        SessionFailure(.session.answerMalformed, during: step, message)
    }

    private static func endless(_ message: String) -> SessionFailure {
        SessionFailure(.session.answerTooLong, during: step, message)
    }
}

/// A KBeacon's summary of its records of one kind (kbeacon.md, Records).
package struct KBeaconHistorySummary: Equatable, Sendable {
    package let kind: KBeaconRecordKind
    package let total: Int
    /// The number of records that were not yet read in the order that moves the beacon's pointer.
    package let unread: Int
    /// The beacon's clock at the time of its answer, in seconds.
    package let clock: UInt32

    /// Parses the answer of a beacon of `generation` to the query for records of `kind`; nil for others.
    ///
    ///     0  1  01; in the first generation also 00
    ///     1  1  kind
    ///     2  2  records; in the second generation 4
    ///     …  2  unread ones; in the second generation 4
    ///     …  4  the beacon's clock, seconds
    init?(answer: [UInt8], of kind: KBeaconRecordKind, _ generation: KBeaconGeneration) {
        var reader = ByteReader(answer)
        do throws(ByteError) {
            let message: UInt8 = try reader.integer("message")
            let itsKind: UInt8 = try reader.integer("kind")
            guard message == 1 || message == 0 && generation == .first, itsKind == kind.rawValue else {
                return nil
            }
            let length = generation == .first ? 2 : 4
            total = try reader.bytes("records", length).reduce(0) { $0 << 8 | Int($1) }
            unread = try reader.bytes("unread records", length).reduce(0) { $0 << 8 | Int($1) }
            clock = try reader.integer("clock", .big)
            try reader.end(of: "summary")
        } catch { return nil }
        self.kind = kind
    }
}

/// A query for records, with its parsed answer.
package typealias KBeaconRecordQuery<Answer: Sendable> = MappedDialogue<KBeaconExchange, Answer>
