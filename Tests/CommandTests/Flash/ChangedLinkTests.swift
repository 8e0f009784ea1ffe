import Bluetooth
import Bytes
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

/// A peripheral may request another interval during a link, as the connection parameters module of Nordic's SDKs does
/// some seconds after each link has begun.
@Suite(.timeLimit(.minutes(10))) struct `An update over a link that changes` {
    private struct Run: Sendable {
        let seconds: Double
        let hint: String?
        let retries: Int
        let events: [UpdateEvent]
    }

    /// Sends the sample to a beacon whose flash takes no time, over a link with the properties of `link`.
    private static func run(_ link: String) async throws -> Run {
        let text = """
            link: \(link)
            beacons:
              - {address: 'F0:0D:BE:AC:79:00', key: test, flash: instant}

            """
        let scenario = try Scenario(parsing: Array(text.utf8), path: "air.yaml")
        let path = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
        let job = try FlashJob(
            try FileContent(path: path).vendorFile(), at: path, options: UpdateOptions())
        let selector = try #require(DeviceSelector(argument: "F0:0D:BE:AC:79:01"))
        return try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { adapter in
                let unit = try await DeviceSearch(selector: selector, limit: .seconds(5))
                    .findUnit(with: adapter)
                let events = Mutex<[UpdateEvent]>([])
                let lastLink = LastLink()
                let report = try await Updater(
                    adapter: adapter, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                    report: { event in
                        lastLink.note(event)
                        events.withLock { $0.append(event) }
                    }
                ).run(
                    job.plan.procedure, entering: job.plan.entry, on: unit.beacon.address,
                    among: unit.nearbyScan)
                let summary = FlashSummary(
                    report: report, device: unit.beacon.address, link: lastLink.description)
                var hint: String?
                if case .text(let words) = summary.line.members["hint"] { hint = words }
                return Run(
                    seconds: report.transferSeconds, hint: hint, retries: report.retries,
                    events: events.withLock(\.self))
            }
        }
    }

    @Test func `reports the change, continues at the new speed, and names what would help`() async throws {
        let quick = try await Self.run("{interval_ms: 15}")
        let slow = try await Self.run("{interval_ms: 100}")
        let changed = try await Self.run("{interval_ms: 15, changes: [{after_s: 1, interval_ms: 100}]}")
        #expect(changed.retries == 0)
        #expect(quick.seconds < changed.seconds, "\(quick.seconds) \(changed.seconds) \(slow.seconds)")
        #expect(changed.seconds < 0.95 * slow.seconds, "\(quick.seconds) \(changed.seconds) \(slow.seconds)")
        let told = changed.events.compactMap { event -> Duration? in
            if case .detail(.linkChanged(let link)) = event { link.interval } else { nil }
        }
        #expect(told == [.milliseconds(100)])
        #expect(quick.hint?.contains("interval") != true)
        #expect(changed.hint?.contains("interval is 100.0 ms") == true, "\(changed.hint ?? "none")")
        #expect(changed.hint == slow.hint)
    }

    @Test func `is as fast as one over a link that was like that from the start`() async throws {
        let quick = try await Self.run("{interval_ms: 15}")
        let changed = try await Self.run("{interval_ms: 100, changes: [{after_s: 0.5, interval_ms: 15}]}")
        #expect(changed.seconds < quick.seconds + 2, "\(quick.seconds) \(changed.seconds)")
        #expect(changed.hint == quick.hint && changed.retries == 0)
    }
}
