public import Tray
public import TrayJournal

extension ResultSender {
    /// An event about deliveries.
    public enum Event: Hashable, Sendable {
        /// The work server answers: reported once, and again when its answer about the station's clock or right to work
        /// changes.
        case online(HeartbeatReply)
        /// It does not answer: the reason, how many results wait, and since when.
        case offline(WorkError, waiting: Int, since: RecordedTime?)
        /// The journal cannot be read or written: no results are delivered meanwhile.
        case journalFailed(JournalError)
        /// This many results were stored.
        case delivered(Int)
        /// It has lost this many, which are sent again.
        case resent(Int)
        /// A result was stored without effect.
        case status(key: String, Status)
        /// A result was set aside: the reason.
        case setAside(key: String, String)
    }

    /// The number of results by their end.
    public struct Tally: Hashable, Sendable {
        /// Stored by the work server.
        public var delivered = 0
        /// Refused permanently by the work server.
        public var setAside = 0
    }
}
