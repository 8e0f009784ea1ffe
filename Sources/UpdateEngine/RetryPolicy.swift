/// How often and how long to search again after a lost link.
public struct RetryPolicy: Equatable, Sendable {
    /// Consecutive lost links without a newly accepted byte, after which the update fails.
    public var fruitlessLinks: Int
    /// How long to wait until a device is heard again.
    public var search: Duration
    /// The shortest scan before the first link, for other devices whose addresses could be confused with the unit's.
    public var survey: Duration
    /// How often an application may be told to start its bootloader.
    public var entries: Int
    /// The time limit of a single attempt to connect.
    public var connect: Duration
    /// The time limit for the MTU exchange and service discovery together. Each request has its own limit, but the
    /// device determines the number of requests.
    public var identityQuery: Duration
    /// The first pause before another attempt; it doubles up to `longestPause`.
    public var firstPause: Duration
    /// The longest pause between two attempts.
    public var longestPause: Duration
    /// Whether a bootloader may be taken for the unit's because it is the only new one, if the application has a
    /// public address and neither name nor address identifies it. Not while several units enter their bootloaders at
    /// a time.
    public var takesOnlyNewcomer = false
    /// Priority of the first connection among those waiting for the same adapter, highest first.
    public var priority = 0
    /// Priority of later connections.
    public var reconnectPriority = 0

    /// A policy for a bench: five fruitless links, a search of 30 s (a bootloader may be slow to start), 10 s to
    /// connect, a scan of one second, three entries, pauses of 0.5 to 4 s (nordic-secure.md, Seen in the wild).
    public init(
        fruitlessLinks: Int = 5, search: Duration = .seconds(30), survey: Duration = .seconds(1),
        entries: Int = 3, connect: Duration = .seconds(10),
        identityQuery: Duration = .seconds(30), firstPause: Duration = .milliseconds(500),
        longestPause: Duration = .seconds(4)
    ) {
        self.fruitlessLinks = fruitlessLinks
        self.search = search
        self.survey = survey
        self.entries = entries
        self.connect = connect
        self.identityQuery = identityQuery
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The pause after `failures` failed attempts.
    func pause(after failures: Int) -> Duration {
        min(firstPause * (1 << max(0, min(failures, 8) - 1)), longestPause)
    }
}
