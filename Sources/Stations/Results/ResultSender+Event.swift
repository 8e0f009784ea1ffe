public import Tray
public import TrayJournal
public import WorkOrders

extension ResultSender {
    /// What is told of deliveries.
    public enum Event: Hashable, Sendable {
        /// The engine answers: told once, and again when it says something else of the station's clock or of its right to work.
        case online(HeartbeatReply)
        /// It does not: why, how many results wait, and since when.
        case offline(WorkError, waiting: Int, since: RecordedTime?)
        /// The journal cannot be read or written: nothing is handed in meanwhile.
        case journalFailed(JournalError)
        /// So many results are kept there now.
        case delivered(Int)
        /// It has lost so many, which are sent again.
        case resent(Int)
        /// A result is kept, and moves nothing.
        case standing(key: String, Status)
        /// A result is set aside: why.
        case setAside(key: String, String)
    }

    /// How many results have come to their end.
    public struct Tally: Hashable, Sendable {
        /// The engine keeps them.
        public var delivered = 0
        /// It will never take them.
        public var setAside = 0
    }
}
