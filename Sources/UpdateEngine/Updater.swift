public import Bluetooth
public import Logging
public import UpdateModel

/// Updates one device: sends it to its bootloader if needed, runs a procedure, finds the device again after every
/// lost link, and verifies the result.
///
/// `UnitUpdate`, a state machine without I/O, decides each step; `Updater` connects it to an adapter and a clock.
public struct Updater<Air: Adapter>: Sendable {
    /// Throws if the device's advertisements, all reports so far together, rule out an update.
    public typealias Admission = @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws if the facts read from the device's application rule out an update.
    public typealias Inspection = @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void
    /// Called and awaited before each change of a device, to record it, or to refuse it by throwing (an
    /// `UpdateFailure` keeps its code).
    public typealias Journal = @Sendable (DeviceChange) async throws -> Void

    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void

    public init(
        adapter: Air, policy: RetryPolicy = RetryPolicy(),
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (UpdateEvent) -> Void
    ) {
        (self.adapter, self.policy, self.log, self.report) = (adapter, policy, log, report)
    }

    /// Runs `procedure` on the device at `address`: its bootloader's address, or its application's if `entry` can
    /// send that to its bootloader.
    ///
    /// `admit` gets the advertisements before anything is changed, and throws to refuse the update. `learn` gets the
    /// facts of an application before any check; `inspect` gets them before the application is sent to its bootloader,
    /// and may throw. `willChange` is awaited before each step that changes the device. `identifying` makes the
    /// identity query for an application that needs a session. Of the accepted `risks`, only `unchangedVersion` has an
    /// effect here. `frames` read the version from advertisements, if the application does not show it over a link.
    ///
    /// Returns once the device is back in its application, or immediately if the result is not to be verified; the
    /// report contains the level of verification.
    public func run(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)? = nil,
        on address: DeviceAddress, among neighbours: EarlierScan = EarlierScan(),
        verifying: Bool = true, accepting risks: Set<Risk> = [], showing frames: FrameVersion? = nil,
        identifying: IdentityQueryFactory? = nil,
        admit: @escaping Admission = { _ in },
        learning learn: @escaping @Sendable (ApplicationFacts) -> Void = { _ in },
        inspect: @escaping Inspection = { _ in },
        willChange: @escaping Journal = { _ in }
    ) async throws(UpdateFailure) -> UpdateReport {
        let notes = EventState()
        let nearbyScan = NearbyScan()
        let tell: @Sendable (UpdateEvent) -> Void = { [log, report] event in
            notes.note(event)
            log.debug("\(event)")
            report(event)
        }
        var driver = UnitDriver(
            adapter: adapter, policy: policy, log: log, report: tell, willChange: willChange, notes: notes,
            nearbyScan: nearbyScan,
            telemetry: Telemetry(time: adapter.time, nearbyScan: nearbyScan, report: tell),
            identifying: identifying)
        var unit = UnitUpdate(
            procedure, entering: entry,
            UnitUpdate.Order(
                address: address, neighbours: neighbours, policy: policy, isVerifying: verifying,
                risks: risks, frames: frames, learn: learn, inspect: inspect))
        async let _ = nearbyScan.listen(
            around: address, since: neighbours.since, entering: procedure.targetSignature, with: adapter,
            as: policy, admit)
        let proof = try await driver.drive(&unit).get()
        return driver.telemetry.summary(of: unit, proof)
    }
}

/// How often and how long to search again after a lost link.
public struct RetryPolicy: Equatable, Sendable {
    /// Consecutive lost links without a newly accepted byte, after which the update fails.
    public var fruitlessLinks: Int
    /// How long to wait until a device is heard again.
    public var search: Duration
    /// The shortest scan before the first link, for other devices whose addresses could be confused with the unit's.
    public var survey = Duration.seconds(1)
    /// How often an application is told to start its bootloader, at most.
    public var entries = 3
    /// The time limit of a single attempt to connect.
    public var connect = Duration.seconds(10)
    /// The time limit for the MTU exchange and service discovery together. Each request has its own limit, but the
    /// device determines the number of requests.
    public var identityQuery = Duration.seconds(30)
    /// The first pause before another attempt; it doubles up to `longestPause`.
    public var firstPause = Duration.milliseconds(500)
    public var longestPause = Duration.seconds(4)
    /// Whether a bootloader may be taken for the unit's because it is the only new one, if the application has a public
    /// address and neither name nor address identifies it. False while several units enter their bootloaders at a time.
    package var takesOnlyNewcomer = false
    /// Priority of the first connection among those waiting for the same adapter, highest first; later ones have 0.
    package var priority = 0
    /// The user's choices for links and bootloaders.
    package private(set) var choices = TransferOptions()

    /// A policy for a bench: five fruitless links, a search of 30 s (a bootloader may be slow to start), 10 s to
    /// connect, a scan of one second, three entries, pauses of 0.5 to 4 s (nordic-secure.md, Seen in the wild).
    public init(fruitlessLinks: Int = 5, search: Duration = .seconds(30)) {
        (self.fruitlessLinks, self.search) = (fruitlessLinks, search)
    }

    package mutating func adopt(_ choices: TransferOptions) {
        self.choices = choices
        connect = choices.connectTimeout ?? connect
        // A request and its answer take two intervals, and discovery has about ten requests; the limit is twice that.
        if let interval = choices.interval { identityQuery = max(identityQuery, interval * 40) }
    }

    /// How long to look for a bootloader after the entry.
    var bootloaderSearch: Duration { choices.bootloaderTimeout ?? search }

    func linkRequest(priority: Int = 0) -> LinkRequest {
        var request = LinkRequest(priority: priority)
        if let interval = choices.interval { request.choose(interval) }
        request.isLimitChosen = choices.connectTimeout != nil
        return request
    }

    func pause(after failures: Int) -> Duration {
        Backoff(first: firstPause, longest: longestPause).pause(after: failures)
    }
}
