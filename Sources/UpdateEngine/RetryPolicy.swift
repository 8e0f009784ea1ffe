/// How often a lost link is looked for again, and how long.
public struct RetryPolicy: Equatable, Sendable {
    /// Lost links in a row without a single accepted byte in between, after which the update ends.
    public var fruitlessLinks: Int
    /// How long a device may take to be heard again.
    public var search: Duration
    /// How long is listened at least before the first link, for other devices whose addresses could be taken
    /// for the unit's.
    public var survey: Duration
    /// How often an application is told to start its bootloader.
    public var entries: Int
    /// How long one attempt to connect may take.
    public var connect: Duration
    /// How long the MTU exchange and the discovery of services may take together. Each request has its own
    /// limit, but a device decides how many it takes.
    public var identityQuery: Duration
    /// The first wait before another attempt; it doubles up to `longestPause`.
    public var firstPause: Duration
    /// The longest wait between two attempts.
    public var longestPause: Duration
    /// Whether the only bootloader that has come up may be taken for the unit's, where its application has a public address and
    /// neither name nor address shows it. Not where several units leave for their bootloaders at a time.
    public var takesOnlyNewcomer = false
    /// How soon the unit is connected to for the first time, where others wait for the same adapter: the highest first.
    public var priority = 0
    /// The same of every later link.
    public var reconnectPriority = 0

    /// A policy for a bench: five fruitless links, 30 s of search (a bootloader may be slow to start), 10 s
    /// to connect, a second of looking around, three entries, pauses of 0.5 to 4 s (nordic-secure.md, Seen in the wild).
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

    /// The pause before the attempt that follows `failures` failed ones.
    func pause(after failures: Int) -> Duration {
        min(firstPause * (1 << max(0, min(failures, 8) - 1)), longestPause)
    }
}
