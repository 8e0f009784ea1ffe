/// The thread for the work on a journal's file, which waits for the disk.
public enum JournalWork: Sendable {
    /// On a thread of the journal's own.
    case aside
    /// On the caller's thread, which waits: for virtual time, which would pass meanwhile.
    case inPlace
}
