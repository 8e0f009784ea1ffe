import Bluetooth
import Firmware
import Logging
import Simulation
import Synchronization
import TestSupport
import Testing
import UpdateEngine
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

/// A kind of beacon, and a package for it.
struct InterruptedKind: Sendable, CustomTestStringConvertible {
    let name: String
    /// The keys of its scenario entry.
    let keys: String
    let package: String
    var options = UpdateOptions()

    var testDescription: String { name }

    static let all: [InterruptedKind] = {
        let secure = "nordic/blinker-1.1.0.zip"
        let legacy = "legacy/generation-05.zip"
        func old(_ personality: String, _ package: String = legacy, _ more: String = "") -> InterruptedKind {
            InterruptedKind(
                name: "Legacy \(personality)\(more)",
                keys: "kind: nordic-legacy, mode: application, personality: \(personality)\(more)",
                package: package)
        }
        return ["sdk-12.3", "sdk-14.2", "sdk-15.3", "sdk-17.1"].map {
            InterruptedKind(
                name: "Secure \($0)",
                keys: "mode: application, key: test, personality: \($0), softdevice: 0x98",
                package: secure)
        } + [
            InterruptedKind(
                name: "Secure with bonds",
                keys:
                    "mode: application, key: test, buttonless: sdk-14-bonded, bonded: true, softdevice: 0x98",
                package: secure),
            InterruptedKind(
                name: "Secure of two parts", keys: "mode: application, key: test, softdevice: 0x98",
                package: "nordic/system-and-application.zip"),
            old("sdk-4"), old("sdk-5.2"), old("sdk-6.1"), old("sdk-7"), old("sdk-8"), old("sdk-11"),
            old("sdk-11-two-banks"), old("sdk-11", legacy, ", handover: address"), old("adafruit"),
            old(
                "adafruit", "legacy/adafruit.zip",
                ", softdevice: 0xB6, device_type: 82, device_revision: 52840"),
            InterruptedKind(
                name: "Legacy in an application",
                keys: "kind: nordic-legacy, receiver: {revision: 1.15.0, updated_revision: 1.16.0}",
                package: legacy),
            InterruptedKind(name: "SUOTA", keys: "kind: suota", package: "dialog/58x.img"),
            InterruptedKind(
                name: "FBeacon", keys: "kind: fbeacon, updated_version: 840", package: "feasycom/bp102.fbu"),
        ]
    }()
}

extension InterruptedKind {
    static func job(_ kind: InterruptedKind) throws -> FlashJob {
        let path = Samples.root + "/firmware-samples/" + kind.package
        return try FlashJob(
            try FileContent(path: path).vendorFile(), at: path, options: kind.options)
    }

    /// Runs `body` with such a beacon alone, with the extra keys of `more`.
    static func air<Value: Sendable>(
        _ kind: InterruptedKind, at address: String, _ more: String = "",
        _ body: @escaping @Sendable (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let text = """
            link: {interval_ms: 15}
            beacons:
              - {address: '\(address)', name: Tag 1, \(kind.keys)\(more)}

            """
        let scenario = try Scenario(parsing: Array(text.utf8), path: "air.yaml")
        return try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { try await body($0) }
        }
    }
}

/// `flash` without its output: plans for the beacon that is found, and returns the outcome of the update.
struct OneFlash: Sendable {
    let job: FlashJob
    let selector: DeviceSelector
    var policy = RetryPolicy()

    /// The events of a run with their times, and its outcome.
    struct Run: Sendable {
        let events: [String]
        let moments: [Duration]
        let failure: CommandFailure?
    }

    /// Repeats the command until it succeeds or the error no longer advises to run it again; returns each run's
    /// outcome.
    func repeating(
        after failure: CommandFailure, with adapter: SimulatedAdapter
    ) async -> [CommandFailure?] {
        var ends = [CommandFailure?](arrayLiteral: failure)
        while let last = ends.last, let end = last, end.saysSameCommand, ends.count < 4 {
            ends.append(await run(with: adapter).failure)
        }
        return ends
    }

    /// Runs it with `adapter`, cancelled after `end` events.
    func run(with adapter: SimulatedAdapter, until end: Int? = nil) async -> Run {
        let told = Told(time: adapter.time)
        let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
        let failure = await withTaskGroup(of: Ended?.self) { group in
            group.addTask {
                let failure = await once(with: adapter) { if told.add("\($0)") == end { stopping.yield() } }
                return Ended(failure: failure)
            }
            group.addTask {
                for await _ in stop { break }
                return nil
            }
            var failure: CommandFailure?
            for await ended in group {
                group.cancelAll()
                if let ended { failure = ended.failure }
            }
            return failure
        }
        return Run(
            events: told.events.withLock { $0.map(\.words) }, moments: told.events.withLock { $0.map(\.at) },
            failure: failure)
    }

    private struct Ended: Sendable { let failure: CommandFailure? }

    /// The events so far.
    private final class Told: Sendable {
        let events = Mutex<[(words: String, at: Duration)]>([])
        private let time: Timekeeper

        init(time: Timekeeper) { self.time = time }

        func add(_ event: String) -> Int {
            events.withLock {
                $0.append((event, time.now))
                return $0.count
            }
        }
    }

    private func once(
        with adapter: SimulatedAdapter, _ report: @escaping @Sendable (UpdateEvent) -> Void
    ) async -> CommandFailure? {
        var found: DeviceSearch.Result?
        do {
            let search = DeviceSearch(selector: selector, limit: .seconds(10))
            let unit = try await search.findUnit(with: adapter, inItsBootloader: job.plan.entry != nil)
            found = unit
            try job.check(unit.beacon)
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            _ = try await Updater(adapter: adapter, policy: policy, log: log, report: report).run(
                job.plan.procedure, entering: job.plan.entry, on: unit.beacon.address,
                among: unit.nearbyScan)
            return nil
        } catch {
            let told = CommandFailure(from: error)
            guard let found, let failure = error as? UpdateFailure else { return told }
            let planned = PlannedFlash(
                job: job, sha256: "", found: found, fruitlessLinks: 5, secrets: SecretStore(SecretsFile()))
            return planned.continuation(after: failure, selectedBy: selector).map(told.adding(toNextStep:))
                ?? told
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An interrupted flash` {
    private static let address = "F0:0D:BE:AC:78:00"

    /// The moments to try: `count`, spread over the events of an undisturbed run.
    private static func moments(of count: Int) -> [Int] {
        let most = 16
        return count <= most ? Array(1...max(count, 1)) : (1...most).map { count * $0 / most }
    }

    @Test(arguments: InterruptedKind.all)
    func `is completed by the same command wherever the error advises to run it again`(
        _ kind: InterruptedKind
    )
        async throws
    {
        let job = try InterruptedKind.job(kind)
        let flash = OneFlash(job: job, selector: try #require(DeviceSelector(argument: Self.address)))
        let whole = try await InterruptedKind.air(kind, at: Self.address) { await flash.run(with: $0) }
        #expect(whole.failure == nil)
        var repeated = 0
        for moment in Self.moments(of: whole.events.count) {
            let (event, ends) = try await InterruptedKind.air(kind, at: Self.address) { adapter in
                let first = await flash.run(with: adapter, until: moment)
                guard let failure = first.failure else { return ("", [CommandFailure?]()) }
                return (
                    first.events.last ?? "", await flash.repeating(after: failure, with: adapter)
                )
            }
            guard ends.count > 1 else { continue }
            repeated += 1
            #expect(
                ends.last??.exit ?? .done == .done || ends.last??.exit == .nothingToDo,
                "after \(event): \(ends.map { $0.map { "\($0.code), \($0.message), \($0.nextStep)" } ?? "done" })"
            )
        }
        #expect(repeated > 2, "repeated \(repeated) times")
    }

    @Test(arguments: InterruptedKind.all)
    func `of a beacon selected by name reports where it resumes, and does so`(_ kind: InterruptedKind)
        async throws
    {
        let job = try InterruptedKind.job(kind)
        let named = OneFlash(job: job, selector: try #require(DeviceSelector(argument: "name:Tag 1")))
        let addressed = OneFlash(job: job, selector: try #require(DeviceSelector(argument: Self.address)))
        let whole = try await InterruptedKind.air(kind, at: Self.address) { await named.run(with: $0) }
        #expect(whole.failure == nil)
        for moment in Self.moments(of: whole.events.count) where moment.isMultiple(of: 3) {
            let (event, ends) = try await InterruptedKind.air(kind, at: Self.address) { adapter in
                let first = await named.run(with: adapter, until: moment)
                guard let failure = first.failure else { return ("", [CommandFailure?]()) }
                let isMoved = failure.nextStep.contains("--device \(Self.address)")
                return (
                    first.events.last ?? "",
                    await (isMoved ? addressed : named).repeating(after: failure, with: adapter)
                )
            }
            guard ends.count > 1 else { continue }
            #expect(
                ends.last??.exit ?? .done == .done || ends.last??.exit == .nothingToDo,
                "after \(event): \(ends.map { $0.map { "\($0.code), \($0.message), \($0.nextStep)" } ?? "done" })"
            )
        }
    }
}

extension CommandFailure {
    var saysSameCommand: Bool { nextStep.contains("same command") }
}
