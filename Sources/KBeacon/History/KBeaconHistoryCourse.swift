import ByteCoding
public import Sessions

/// The way through a KBeacon's records, page by page from the oldest on (kbeacon.md, Records).
///
/// Nothing of it changes the beacon: the order that moves its pointer is never asked for.
public struct KBeaconHistoryCourse: Sendable {
    /// How many pages are read at most; what was asked for is kept, to notice a way that leads back.
    static let mostPages = 1 << 16
    /// How many records more than it said a beacon may have: it records while it is read.
    static let mostNew = 4096
    /// From the oldest on, without moving the beacon's pointer.
    private static let oldestFirst: UInt8 = 0
    /// The connection interval while records are sent, in 1.25 ms: the second generation asks for that.
    private static let interval: UInt8 = 24
    private static let step = "reading the records"

    /// How many records came.
    public private(set) var count = 0
    private let kind: KBeaconRecordKind
    private let limit: Int
    /// Where the next records are; nil after the last.
    private var position: UInt32?
    private var asked: Set<UInt32> = []

    /// The way through what `summary` tells of.
    public init(through summary: KBeaconHistorySummary) {
        kind = summary.kind
        limit = summary.total + Self.mostNew
        // The number of a record; FFFFFFFF, which other orders begin with, is nothing that is known to work in this one.
        position = summary.total > 0 ? 0 : nil
    }

    /// Asks `peer` how many records of `kind` it has.
    public static func summary(
        of kind: KBeaconRecordKind, asking peer: KBeaconIntroduction.Peer
    ) -> KBeaconQuestion<KBeaconHistorySummary> {
        let exchange = KBeaconExchange(kind.questionForSummary, .binary, on: peer.terms, during: step)
        let generation = peer.identity.generation
        return KBeaconQuestion(exchange) { (answer) throws(SessionFailure) in
            guard let summary = KBeaconHistorySummary(answer: answer, of: kind, generation) else {
                throw malformed("an answer of \(answer.count) bytes says nothing of such records")
            }
            return summary
        }
    }

    /// Whether the last page was taken.
    public var isOver: Bool { position == nil }

    /// Asks `peer` for the next page.
    public func question(to peer: KBeaconIntroduction.Peer) -> KBeaconQuestion<KBeaconRecordPage> {
        let exchange = KBeaconExchange(
            request(in: peer.identity.generation), .binary, on: peer.terms, during: Self.step)
        return KBeaconQuestion(exchange) { [kind] (answer) throws(SessionFailure) in
            do throws(ByteError) { return try KBeaconRecordPage(answer: answer, of: kind) } catch {
                throw Self.malformed("the records cannot be read: \(error)")
            }
        }
    }

    /// The question for the next page.
    ///
    ///     0  1  02
    ///     1  1  kind
    ///     2  4  position
    ///     6  2  how many records at most
    ///     8  1  order
    ///     9  1  connection interval; in the second generation only
    func request(in generation: KBeaconGeneration) -> [UInt8] {
        var writer = ByteWriter([0x02, kind.rawValue])
        writer.integer(position ?? 0, .big)
        // What others ask for, too, and what the longest answer of either generation holds.
        writer.integer(UInt16(generation == .first ? 100 : 200), .big)
        writer.append([Self.oldestFirst])
        if generation == .second { writer.append([Self.interval]) }
        return writer.bytes
    }

    /// Takes the page that was asked for. Throws where the way does not lead to an end.
    public mutating func take(_ page: KBeaconRecordPage) throws(SessionFailure) {
        if let position { asked.insert(position) }
        count += page.records.count
        guard count <= limit else {
            throw SessionFailure(
                .tooLong, during: Self.step, "the beacon sends many more records than it has said it has")
        }
        if let next = page.next {
            guard !page.records.isEmpty, !asked.contains(next) else {
                throw Self.malformed("the beacon leads back to records that were there, or to none")
            }
            guard asked.count < Self.mostPages else {
                throw SessionFailure(
                    .tooLong, during: Self.step, "the records have no end after \(asked.count) answers")
            }
        }
        position = page.next
    }

    private static func malformed(_ message: String) -> SessionFailure {
        SessionFailure(.malformed, during: step, message)
    }
}
