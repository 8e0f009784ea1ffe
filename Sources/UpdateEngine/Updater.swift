public import BluetoothTypes
public import Logging
public import Radio
import Timing
public import UpdateCore

/// Brings one device onto new firmware: sends it to its bootloader if need be, runs a procedure, finds the
/// device again after every lost link, and looks at what came up in the end.
///
/// It has no protocol knowledge; the procedure has no `await`.
public struct Updater<Air: Adapter>: Sendable {
    /// Throws what stands against an update of a device that has advertised so: what it has said up to a report, and
    /// from report to report.
    public typealias Admission = @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws what stands against an update of a device whose application says this of itself.
    public typealias Inspection = @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    let adapter: Air
    let policy: RetryPolicy
    let log: Logger
    let report: @Sendable (UpdateEvent) -> Void
    var inspect: Inspection = { _ in }
    /// Where the unit was seen last.
    let trace = UnitTrace()
    /// Who is near it.
    var surroundings = Surroundings()

    /// An updater over `adapter` that tells `report` what happens.
    public init(
        adapter: Air, policy: RetryPolicy = RetryPolicy(), log: Logger,
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
    /// update; `inspect` hears what an application says of itself before it is sent to its bootloader.
    ///
    /// Returns only when the device has come back in its application, or when that was not to be looked at;
    /// the report says how far the result was checked.
    public func run(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)? = nil,
        on address: DeviceAddress, among neighbours: Neighbours = Neighbours(), verifying: Bool = true,
        admit: @escaping Admission = { _ in }, inspect: @escaping Inspection = { _ in }
    ) async throws(UpdateFailure) -> UpdateReport {
        let phases = Phases()
        let surroundings = Surroundings()
        var updater = Updater(adapter: adapter, policy: policy, log: log) { [log, report] event in
            phases.note(event)
            log.debug("\(event)")
            report(event)
        }
        updater.inspect = inspect
        updater.surroundings = surroundings
        do {
            return try await updater.run(procedure, entry, address, neighbours, verifying, admit, phases)
        } catch {
            throw UpdateFailure(of: error, during: phases.name)
        }
    }

    private func run(
        _ procedure: any UpdateProcedure, _ entry: (any BootloaderEntry)?, _ address: DeviceAddress,
        _ neighbours: Neighbours, _ verifying: Bool, _ admit: @escaping Admission,
        _ phases: Phases
    ) async throws -> UpdateReport {
        var telemetry = Telemetry(time: adapter.time, surroundings: surroundings, report: report)
        if let part = procedure.part { report(.part(part)) }
        report(.phase(.connecting))
        async let _ = surroundings.listen(
            around: address, since: neighbours.since, entering: procedure.entrance, with: adapter, as: policy,
            admit)
        var course = try await course(of: procedure, entry, to: address, neighbours)
        do {
            return try await lead(&course, &telemetry, verifying)
        } catch {
            let failure = UpdateFailure(of: error, during: phases.name)
            let advised = course.procedure.remedy(for: failure).map(failure.advising) ?? failure
            throw advised.leaving(course.state(seen: trace.last))
        }
    }

    /// From one link to the next, until the update has ended.
    private func lead(
        _ course: inout Course, _ telemetry: inout Telemetry, _ verifying: Bool
    ) async throws -> UpdateReport {
        var fruitless = 0
        var accepted = 0
        while true {
            let before = course.procedure.linkEnded()
            let wasFirst = course.isFirst
            let result = try await link(&course, &telemetry)
            fruitless = telemetry.accepted > accepted ? 1 : fruitless + 1
            accepted = telemetry.accepted
            course.isFirst = false
            switch result {
            case .complete(let completion, let hasLeft):
                trace.left()
                let found =
                    verifying
                    ? try await reappearance(of: course, completion, hasLeft: hasLeft) : unlooked(completion)
                return telemetry.summary(of: course, found)
            case .application(let heard, let revision):
                guard case .perhapsDone(let end) = before else {
                    throw applicationInTheWay(course, at: heard, wasFirst)
                }
                // What we wanted to see, but the device never said that it took the image.
                let found = try unconfirmedProof(in: revision, of: course, end, verifying, at: heard)
                return telemetry.summary(of: course, found)
            case .restarting(let restart):
                trace.left()
                fruitless = 0
                noteRestart(&course)
                course.repeating = restart.repeating
                if let reason = restart.repeating { telemetry.noteRetry(reason.code, from: 0) }
            case .departed(let departure, let application):
                try await follow(departure, from: application, &course)
                fruitless = 0
                continue
            case .silent(let failure):
                guard fruitless < policy.fruitlessLinks else { throw failure }
                telemetry.noteRetry(failure.code, from: course.procedure.goesOn ? telemetry.accepted : 0)
            case .lost:
                if let completion = leaving(course) {
                    trace.left()
                    guard verifying else {
                        return telemetry.summary(of: course, unlooked(completion))
                    }
                    do {
                        let found = try await reappearance(of: course, completion)
                        return telemetry.summary(of: course, found)
                    } catch let failure as UpdateFailure
                        where mayNotHaveHeard(completion, failure) && fruitless < 2
                    {
                        // It may not have heard that it has to restart, and is told once more.
                        telemetry.noteRetry(
                            failure.code, from: completion.mayBeUnheard ? telemetry.accepted : 0)
                        break
                    }
                }
                if case .refused(let failure) = course.procedure.linkEnded() { throw failure }
                guard fruitless < policy.fruitlessLinks else { throw lostForGood(course, fruitless) }
                telemetry.noteRetry(.linkLost, from: course.procedure.goesOn ? telemetry.accepted : 0)
            }
            try await adapter.time.sleep(for: policy.pause(after: fruitless))
        }
    }

    /// The end of an update that an application took: it has confirmed the image, and what was lost is the link
    /// over which it was told to restart. Nil where that is not so.
    private func leaving(_ course: Course) -> Completion? {
        guard course.updatesInApplication, case .perhapsDone(let end) = course.procedure.linkEnded(),
            end.isConfirmed
        else { return nil }
        return end
    }

    /// Whether `failure` may come of a device that was not told to restart.
    private func mayNotHaveHeard(_ end: Completion, _ failure: UpdateFailure) -> Bool {
        failure.code == .versionMismatch || end.mayBeUnheard && failure.code == .activationUnconfirmed
    }

    private func lostForGood(_ course: Course, _ links: Int) -> UpdateFailure {
        let place = course.places.bootloader
        guard course.wasLinked || course.isInaudible else {
            return UpdateFailure(
                .connectionNotEstablished, during: "connecting",
                message: "\(place) was heard, and no link to it came about in "
                    + "\(links == 1 ? "one attempt" : "\(links) attempts")")
        }
        return course.isInaudible && course.proven == nil
            ? UpdateFailure(
                .bootloaderNotFound, during: "looking for the bootloader",
                message: "\(place) left its application; its bootloader was not heard for "
                    + "\(Int(policy.search.seconds)) s, and nobody answers at \(place)")
            : UpdateFailure(
                .linkLost, during: "transferring",
                message:
                    "the link to \(place) was lost \(links == 1 ? "once" : "\(links) times") without progress"
            )
    }

    private func applicationInTheWay(
        _ course: Course, at heard: DeviceAddress, _ isFirst: Bool
    ) -> UpdateFailure {
        if let repeating = course.repeating { return repeating }
        if course.procedure.entrance.isApplication {
            return UpdateFailure(
                .updateServiceMissing, during: "connecting",
                message: "\(heard) has no service that takes such firmware")
        }
        if let part = course.procedure.part, part.number > 1 { return partsLeft(part, course, heard) }
        return isFirst
            ? UpdateFailure(
                .notInBootloader, during: "connecting",
                message: "\(heard) runs its application, not its bootloader")
            : UpdateFailure(
                .leftBootloader, during: "looking for the bootloader",
                message: "\(course.places.bootloader) went back to its application before it had the whole "
                    + "image")
    }
}
