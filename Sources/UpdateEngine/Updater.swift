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
        let eventState = EventState()
        let nearbyScan = NearbyScan()
        let reportEvent: @Sendable (UpdateEvent) -> Void = { [log, report] event in
            eventState.note(event)
            log.debug("\(event)")
            report(event)
        }
        var driver = UnitDriver(
            adapter: adapter, policy: policy, log: log, report: reportEvent, willChange: willChange,
            eventState: eventState,
            nearbyScan: nearbyScan,
            telemetry: Telemetry(time: adapter.time, nearbyScan: nearbyScan, report: reportEvent),
            identifying: identifying)
        var unit = UnitUpdate(
            procedure, entering: entry,
            UnitUpdate.Setup(
                address: address, earlierScan: neighbours, policy: policy, isVerifying: verifying,
                risks: risks, frames: frames, learn: learn, inspect: inspect))
        async let _ = nearbyScan.listen(
            around: address, since: neighbours.since, for: procedure.targetSignature, over: adapter,
            within: policy, admit)
        let proof = try await driver.drive(&unit).get()
        return driver.telemetry.summary(of: unit, proof)
    }
}

/// A change of a device that is about to be made.
public enum DeviceChange: Equatable, Sendable {
    case enterBootloader(of: DeviceAddress)
    /// The device is sent firmware, from the first byte or from where it stopped. The part is nil if there is only one.
    case update(at: DeviceAddress, UpdatePart?)
    /// The device has its firmware; its settings are restored.
    case configure(at: DeviceAddress)
    /// The device has everything, and is told to install it. The part is nil if there is only one.
    case activate(at: DeviceAddress, UpdatePart?)
}
