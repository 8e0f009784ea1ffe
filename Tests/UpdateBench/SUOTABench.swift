import Bluetooth
package import Dialog
package import Simulation
package import UpdateEngine
import UpdateModel

/// The update of a simulated receiver of SUOTA.
package struct SUOTABench: Sendable {
    package var personality: SUOTAPersonality
    package var link: LinkModel?
    package var faults: [Fault]
    package var policy = RetryPolicy()
    package var preferences = SUOTAPreferences()
    /// The family of the image that is sent; nil for the device's own.
    package var imageFamily: SUOTAPersonality.Family?
    /// The check of its advertisements before the first link.
    package var admit: Updater<SimulatedAdapter>.Admission = { _ in }
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
        guard let description else { throw BenchError.address }
        let image = try SUOTAImage(parsing: firmware.stored(imageFamily ?? personality.family))
        return try await BenchRun(link: link, policy: policy, examinedAfter: .seconds(30)).update(
            { SUOTABeacon(description, time: $0, faults: faults) },
            { (updater) async throws(UpdateFailure) -> UpdateReport in
                try await updater.run(
                    SUOTAProcedure(image, preferences), on: description.address, admit: admit)
            },
            examining: {
                SUOTABeaconState(
                    running: await $0.runningImage, next: await $0.nextImage, statistics: await $0.statistics)
            })
    }
}

/// A receiver of SUOTA half a minute after its update.
package struct SUOTABeaconState: Sendable {
    package let running: SUOTABoot.Image?
    /// The image that the next start would select.
    package let next: SUOTABoot.Image?
    package let statistics: SUOTAStatistics
}

package typealias SUOTABenchResult = BenchResult<SUOTABeaconState>
