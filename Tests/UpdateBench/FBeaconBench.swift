import Bluetooth
package import Feasycom
import Logging
package import Simulation
package import UpdateEngine
package import UpdateModel

/// One upgrade of one simulated Feasycom beacon in virtual time, over real kernel sockets.
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
        let finished = try description()
        let address = finished.address
        let identifying = pin.map(Self.identifying)
        return try await VirtualTime.run { time in
            let keeper = time.keeper
            let beacon = FBeaconBeacon(finished, time: keeper, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: link, time: keeper, readiness: time
            ) { adapter in
                let events = EventLog(keeper)
                let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: adapter, policy: policy, log: log) { events.add($0) }
                let outcome: Result<UpdateReport, UpdateFailure>
                do throws(UpdateFailure) {
                    outcome = .success(
                        try await updater.run(
                            FBeaconUpgrade(container, preferences), on: address,
                            among: EarlierScan(version: "830"), identifying: identifying))
                } catch { outcome = .failure(error) }
                let took = keeper.now
                try await keeper.sleep(for: .seconds(60))
                return FBeaconBenchResult(
                    outcome: outcome, events: events.all, moments: events.moments,
                    running: await beacon.runningFirmware, statistics: await beacon.statistics, took: took)
            }
        }
    }
}

/// The result of one simulated upgrade.
package struct FBeaconBenchResult: Sendable {
    package let outcome: Result<UpdateReport, UpdateFailure>
    package let events: [UpdateEvent]
    /// When each event was reported.
    package let moments: [Duration]
    /// The image that runs a minute later.
    package let running: FBeaconFirmware?
    package let statistics: FBeaconStatistics
    package let took: Duration

    package var failure: UpdateFailure? { if case .failure(let failure) = outcome { failure } else { nil } }
    package var report: UpdateReport? { try? outcome.get() }
}
