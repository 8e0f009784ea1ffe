public import BluetoothTypes
public import Logging
public import Radio
public import UpdateCore

/// Brings one device onto new firmware: sends it to its bootloader if need be, runs a procedure, finds the
/// device again after every lost link, and looks at what came up in the end.
///
/// What happens next is decided by `UnitUpdate`, a value; here it meets an adapter and a clock.
public struct Updater<Air: Adapter>: Sendable {
    /// Throws what stands against an update of a device that has advertised so: what it has said up to a report, and
    /// from report to report.
    public typealias Admission = @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws what stands against an update of a device whose application says this of itself.
    public typealias Inspection = @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void
    /// Hears of what is about to be done to a device before it is done, and is waited for: to write it down, or to
    /// refuse it by throwing (an `UpdateFailure` keeps its code).
    public typealias Journal = @Sendable (DeviceChange) async throws -> Void

    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void

    /// An updater over `adapter` that tells `report` what happens.
    public init(
        adapter: Air, policy: RetryPolicy = RetryPolicy(),
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (UpdateEvent) -> Void
    ) {
        self.adapter = adapter
        self.policy = policy
        self.log = log
        self.report = report
    }

    /// Runs `procedure` on the device at `address`: its bootloader's address, or its application's when `entry`
    /// knows how to send that to its bootloader.
    ///
    /// `admit` hears what the device advertises before anything is done to it, and throws what stands against an
    /// update; `learn` hears what an application says of itself before anything is judged by it; `inspect` hears what an application says of itself before it is sent to its bootloader; `willChange` is
    /// awaited before each step that changes the device. An application that has a session is asked by what
    /// `identifying` makes. `risks` are accepted whatever speaks for them: `unchangedVersion` concerns what comes up.
    /// `frames` show which version came up, where the application does not say it on a link.
    ///
    /// Returns only when the device has come back in its application, or when that was not to be looked at;
    /// the report says how far the result was checked.
    public func run(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)? = nil,
        on address: DeviceAddress, among neighbours: EarlierScan = EarlierScan(),
        verifying: Bool = true, accepting risks: Set<Risk> = [], blinking frames: FrameVersion? = nil,
        identifying: IdentityQueryFactory? = nil,
        admit: @escaping Admission = { _ in },
        learning learn: @escaping @Sendable (ApplicationFacts) -> Void = { _ in },
        inspect: @escaping Inspection = { _ in },
        willChange: @escaping Journal = { _ in }
    ) async throws(UpdateFailure) -> UpdateReport {
        let notes = EventNotes()
        let nearbyScan = NearbyScan()
        var driver = UnitDriver(
            adapter, policy, log, notes, nearbyScan, identifying: identifying, willChange: willChange
        ) { [log, report] event in
            notes.note(event)
            log.debug("\(event)")
            report(event)
        }
        var unit = UnitUpdate(
            procedure, entering: entry,
            UnitUpdate.Order(
                address: address, neighbours: neighbours, policy: policy, isVerifying: verifying,
                risks: risks, frames: frames, learn: learn, inspect: inspect))
        async let _ = nearbyScan.listen(
            around: address, since: neighbours.since, entering: procedure.targetSignature, with: adapter,
            as: policy,
            admit)
        let proof = try await driver.drive(&unit).get()
        return driver.telemetry.summary(of: unit, proof)
    }
}
