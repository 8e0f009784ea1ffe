public import Tray

/// An entry of the outbox with its delivery state.
public struct OutboxRow: Hashable, Sendable {
    /// Its number: from 1 in each journal, without gaps over all kinds.
    public let sequence: Int64
    /// Its number within its kind: from 1 in each journal, without gaps, in the order of `sequence`.
    public let number: Int64
    /// The message.
    public let entry: OutboxEntry
    /// The id of its run; nil if it has none.
    public let run: String?
    /// When it was written.
    public let made: RecordedTime
    /// The delivery state.
    public let state: OutboxState
    /// How often it was sent.
    public let tries: Int
    /// It is not sent before this time.
    public let due: RecordedTime
    /// When it was acknowledged, refused or dropped.
    public let settled: RecordedTime?
    /// The latest error.
    public let lastError: String?

    init(_ row: Fields) throws {
        guard let state = OutboxState(rawValue: try row.text(7)) else {
            throw DamagedRow("a state is unknown")
        }
        sequence = try row.integer(0)
        entry = OutboxEntry(kind: try row.text(1), key: try row.text(2), body: try row.text(3))
        guard entry.digest == (try row.text(4)) else {
            throw DamagedRow("a body is not the one that was written")
        }
        run = try row.textIfAny(5)
        made = RecordedTime(milliseconds: try row.integer(6))
        self.state = state
        tries = Int(try row.integer(8))
        due = RecordedTime(milliseconds: try row.integer(9))
        settled = try row.integerIfAny(10).map { RecordedTime(milliseconds: $0) }
        lastError = try row.textIfAny(11)
        number = try row.integer(12)
    }

    /// The query for the columns that `init` reads.
    static let query = """
        SELECT sequence, kind, key, body, body_sha256, run.uuid, made, state, tries, due, settled, last_error,
          number
        FROM outbox LEFT JOIN run ON run.id = outbox.run
        """
}
