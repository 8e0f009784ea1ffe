import Bluetooth
package import Feasycom
package import Simulation
package import UpdateEngine
import UpdateModel

/// The upgrade of a simulated Feasycom beacon.
package struct FBeaconBench: Sendable {
    /// Whether the upgrade continues on the link on which the beacon was entered.
    package var stays: Bool
    package var link: LinkModel?
    package var faults: [Fault]
    package var policy = RetryPolicy()
    package var preferences = FBeaconPreferences()
    /// The PIN for a beacon that requires one.
    package var pin: String?
    package var change: @Sendable (inout FBeaconDescription) -> Void = { _ in }

    package init(stays: Bool, link: LinkModel? = LinkModel(), faults: [Fault] = []) {
        self.stays = stays
        self.link = link
        self.faults = faults
    }

    /// The container that is sent: version 840 over 800 and later, with `count` bytes of program.
    package func container(_ count: Int) -> OpenContainer {
        OpenContainer(
            bootloader: 651, versions: 800...840, modelNumber: stays ? 20 : 21,
            payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    private static func identifying(_ pin: String) -> IdentityQueryFactory {
        { (address, _) throws(SessionFailure) in
            guard let plain = PlainPIN(Secret(pin)) else {
                throw SessionFailure(.session.passwordWrong, during: "the bench", "no PIN")
            }
            return try FeasycomVendor().identityQuery(by: FBeaconSession(by: plain), to: address)
        }
    }

    /// The beacon.
    package func description() throws -> FBeaconDescription {
        guard let address = DeviceAddress("DD:34:02:06:5B:5C") else { throw BenchError.address }
        var description = FBeaconDescription(address: address)
        description.advertiser.model = stays ? 20 : 21
        description.images = .any(version: 840)
        description.access.pin = pin
        change(&description)
        return description
    }

    package func flash(_ container: OpenContainer) async throws -> FBeaconBenchResult {
        let description = try description()
        let identifying = pin.map(Self.identifying)
        return try await BenchRun(link: link, policy: policy, examinedAfter: .seconds(60)).update(
            { FBeaconBeacon(description, time: $0, faults: faults) },
            { (updater) async throws(UpdateFailure) -> UpdateReport in
                try await updater.run(
                    FBeaconUpgrade(container, preferences), on: description.address,
                    among: EarlierScan(version: "830"), identifying: identifying)
            },
            examining: {
                FBeaconState(running: await $0.runningFirmware, statistics: await $0.statistics)
            })
    }
}

/// A Feasycom beacon a minute after its upgrade.
package struct FBeaconState: Sendable {
    package let running: FBeaconFirmware?
    package let statistics: FBeaconStatistics
}

package typealias FBeaconBenchResult = BenchResult<FBeaconState>
