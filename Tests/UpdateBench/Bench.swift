package import Bluetooth
import Logging
package import Nordic
package import Simulation
package import UpdateEngine
package import UpdateModel

/// One update of one simulated beacon in virtual time, over real kernel sockets.
package struct Bench: Sendable {
    package var personality = BootloaderPersonality.sdk17_1
    package var timing = FlashTiming.stock
    package var link: LinkModel? = LinkModel()
    package var faults: [Fault] = []
    package var receiptInterval: Int?
    package var policy = RetryPolicy()
    package var verifying = true
    /// The accepted risks of weaker verification.
    package var risks: Set<Risk> = []
    /// When the update is cancelled.
    package var cancelled: Duration?
    /// How the beacon can be heard, depending on the reported events.
    package var hearing: @Sendable (DeviceAddress, EventLog) -> Hearing = { _, _ in .normal }
    package var change: @Sendable (inout NordicDescription) -> Void = { _ in }
    /// Sends the application to its bootloader first, with the name that it is asked to use.
    package var entering: Entering?
    /// An application that was selected and not heard, so that its bootloader was used.
    package var absent: DeviceAddress?
    /// The check of the application's reported data.
    package var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    /// Other beacons in range.
    package var neighbours: [NordicDescription] = []
    /// Whether the adapter passes every report on; a kernel does not.
    package var passesEveryReport = true
    /// The identity query for an application that has a session.
    package var identifying: IdentityQueryFactory?

    /// How the update begins in the application.
    package struct Entering: Sendable {
        package var name: String?

        package init(name: String? = "Dfu12345") { self.name = name }
    }

    package init(
        personality: BootloaderPersonality = .sdk17_1, timing: FlashTiming = .stock,
        link: LinkModel? = LinkModel(), faults: [Fault] = [], receiptInterval: Int? = nil,
        policy: RetryPolicy = RetryPolicy(), verifying: Bool = true, cancelled: Duration? = nil,
        hearing: @escaping @Sendable (DeviceAddress, EventLog) -> Hearing = { _, _ in .normal },
        change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in }, entering: Entering? = nil,
        absent: DeviceAddress? = nil, neighbours: [NordicDescription] = []
    ) {
        self.personality = personality
        self.timing = timing
        self.link = link
        self.faults = faults
        self.receiptInterval = receiptInterval
        self.policy = policy
        self.verifying = verifying
        self.cancelled = cancelled
        self.hearing = hearing
        self.change = change
        self.entering = entering
        self.absent = absent
        self.neighbours = neighbours
    }

    package func flash(_ firmware: TestFirmware) async throws -> BenchResult {
        try await flash(firmware.secureImage)
    }

    package func flash(_ image: SecureImage) async throws -> BenchResult {
        try await flash(
            SecureProcedure(image, receiptInterval: receiptInterval),
            entry: entering.map { ButtonlessEntry(name: $0.name) })
    }

    /// Any procedure; `entry` sends the application to its bootloader, nil selects the bootloader.
    package func flash(
        _ procedure: any UpdateProcedure, entry: (any BootloaderEntry)?
    ) async throws -> BenchResult {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { throw BenchError.address }
        var description = NordicDescription(address: address)
        description.personality = personality
        description.timing = timing
        description.softDevice = 0x98
        change(&description)
        let beaconDescription = description
        return try await VirtualTime.run { time in
            let keeper = time.keeper
            let beacon = NordicBeacon(beaconDescription, time: keeper, faults: faults)
            let strangers = neighbours.map { NordicBeacon($0, time: keeper) }
            return try await SimulatedAdapter.withBeacons(
                [beacon] + strangers, link: link, time: keeper, readiness: time
            ) { adapter in
                let events = EventLog(keeper)
                let air = EditedAir(base: adapter, passesEveryReport: passesEveryReport) {
                    hearing($0, events)
                }
                let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: air, policy: policy, log: log) { events.add($0) }
                let outcome = await running(until: cancelled, by: keeper) {
                    () async throws(UpdateFailure) -> UpdateReport in
                    try await updater.run(
                        procedure, entering: entry,
                        on: entry == nil
                            ? beaconDescription.bootloaderAddress : beaconDescription.address,
                        among: EarlierScan(absent: absent), verifying: verifying, accepting: risks,
                        identifying: identifying, inspect: inspect)
                }
                let took = keeper.now
                try await keeper.sleep(for: .seconds(1))
                let isFree = await beacon.advertisement(at: keeper.now) != nil
                var disturbed = 0
                for stranger in strangers { disturbed += await stranger.statistics.commandsReceived }
                return BenchResult(
                    outcome: outcome, events: events.all, application: await beacon.runningApplication?.image,
                    statistics: await beacon.statistics, took: took, moments: events.moments, isFree: isFree,
                    packetsToOthers: disturbed, session: await beacon.session)
            }
        }
    }

    /// The result of `body`, which is cancelled at `moment`.
    private func running(
        until moment: Duration?, by time: Timekeeper,
        _ body: @escaping @Sendable () async throws(UpdateFailure) -> UpdateReport
    ) async -> Result<UpdateReport, UpdateFailure> {
        await withTaskGroup(of: Result<UpdateReport, UpdateFailure>?.self) { group in
            group.addTask {
                do throws(UpdateFailure) { return .success(try await body()) } catch {
                    return .failure(error)
                }
            }
            if let moment {
                group.addTask {
                    try? await time.sleep(until: moment)
                    return nil
                }
            }
            for await result in group {
                group.cancelAll()
                if let result { return result }
            }
            return .failure(UpdateFailure(.system.interrupted, during: "the test", message: "nothing ran"))
        }
    }
}

enum BenchError: Error { case address }
