import Glibc
public import Tray

/// The process that runs a tray with a journal.
public struct JournalOwner: Hashable, Codable, Sendable {
    /// Its process id.
    public let process: Int32
    /// When it took the journal.
    public let since: RecordedTime
    /// The tray that it runs, by its usual name; nil for one without a file.
    public let tray: String?

    /// This process, from now on.
    public init(tray: String?) { self.init(process: getpid(), since: .now, tray: tray) }

    /// Creates an owner with these values.
    public init(process: Int32, since: RecordedTime, tray: String?) {
        (self.process, self.since, self.tray) = (process, since, tray)
    }
}

extension JournalOwner: CustomStringConvertible {
    /// `process 4711 since 2026-11-23T08:00:00.000Z, for line3.yaml`.
    public var description: String {
        "process \(process) since \(since)" + (tray.map { ", for \($0)" } ?? "")
    }
}
