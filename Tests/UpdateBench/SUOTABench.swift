package import Bluetooth
package import Dialog
import Logging
package import Simulation
package import UpdateEngine
package import UpdateModel

/// One update of one simulated receiver of SUOTA in virtual time, over real kernel sockets.
package struct SUOTABench: Sendable {
    package var personality: SUOTAPersonality
    package var link: LinkModel?
    package var faults: [Fault]
    package var policy = RetryPolicy()
    package var preferences = SUOTAPreferences()
    /// The family of the image that is sent; nil for the device's own.
    package var imageFamily: SUOTAPersonality.Family?
    /// The check of its advertisements before the first link.
    package var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void = { _ in }
    package var change: @Sendable (inout SUOTADescription) -> Void = { _ in }

    package init(_ personality: SUOTAPersonality, link: LinkModel? = LinkModel(), faults: [Fault] = []) {
        self.personality = personality
        self.link = link
        self.faults = faults
    }

    /// The image that is sent: version 2.0.0, and `count` bytes of program.
    package static func firmware(_ count: Int) -> SUOTAFirmware {
        SUOTAFirmware(
            version: "2.0.0", timestamp: 1_700_000_000,
            payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    /// The device before the update.
    package var description: SUOTADescription? {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { return nil }
        var description = SUOTADescription(address: address, personality)
        change(&description)
        return description
    }

    package func flash(_ firmware: SUOTAFirmware) async throws -> SUOTABenchResult {
        guard let finished = description else { throw BenchError.address }
        let address = finished.address
        let image = try SUOTAImage(parsing: firmware.stored(imageFamily ?? personality.family))
        return try await VirtualTime.run { time in
            let keeper = time.keeper
            let beacon = SUOTABeacon(finished, time: keeper, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: link, time: keeper, readiness: time
            ) { adapter in
                let events = EventLog(keeper)
                let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: adapter, policy: policy, log: log) { events.add($0) }
                let outcome: Result<UpdateReport, UpdateFailure>
                do throws(UpdateFailure) {
                    outcome = .success(
                        try await updater.run(SUOTAProcedure(image, preferences), on: address, admit: admit))
                } catch { outcome = .failure(error) }
                let took = keeper.now
                try await keeper.sleep(for: .seconds(30))
                return SUOTABenchResult(
                    outcome: outcome, events: events.all, moments: events.moments,
                    running: await beacon.runningImage,
                    next: await beacon.nextImage, statistics: await beacon.statistics, took: took)
            }
        }
    }
}

/// The result of one simulated update over SUOTA.
package struct SUOTABenchResult: Sendable {
    package let outcome: Result<UpdateReport, UpdateFailure>
    package let events: [UpdateEvent]
    /// When each event was reported.
    package let moments: [Duration]
    /// The image that runs half a minute later.
    package let running: SUOTABoot.Image?
    /// The image that the next start would select.
    package let next: SUOTABoot.Image?
    package let statistics: SUOTAStatistics
    package let took: Duration

    package var failure: UpdateFailure? { if case .failure(let failure) = outcome { failure } else { nil } }
    package var report: UpdateReport? { try? outcome.get() }
}
