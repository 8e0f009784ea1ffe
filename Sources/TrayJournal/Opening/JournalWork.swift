/// Where the work on a journal's file is done, which waits for the disk.
public enum JournalWork: Sendable {
    /// On a thread of the journal's own.
    case aside
    /// On the caller's, which waits: for virtual time, which would pass meanwhile.
    case inPlace
}
