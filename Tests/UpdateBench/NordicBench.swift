package import Bluetooth
package import Nordic
package import Simulation
package import UpdateEngine
package import UpdateModel

/// The update of a simulated Nordic beacon.
package struct NordicBench: Sendable {
    package var personality = SecurePersonality.sdk17_1
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
    package var silentApplication: DeviceAddress?
    /// The check of the application's reported data.
    package var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    /// Other beacons in range.
    package var neighbours: [NordicDescription] = []
    /// Whether the adapter passes every report on; a kernel does not.
    package var passesEveryReport = true
    package var controller = SimulatedController()
    /// The identity query for an application that has a session.
    package var identifying: IdentityQueryFactory?

    /// How the update begins in the application.
    package struct Entering: Sendable {
        package var name: String?

        package init(name: String? = "Dfu12345") { self.name = name }
    }

    package init(
        personality: SecurePersonality = .sdk17_1, timing: FlashTiming = .stock,
        link: LinkModel? = LinkModel(), faults: [Fault] = [], receiptInterval: Int? = nil,
        policy: RetryPolicy = RetryPolicy(), verifying: Bool = true, cancelled: Duration? = nil,
        hearing: @escaping @Sendable (DeviceAddress, EventLog) -> Hearing = { _, _ in .normal },
        change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in }, entering: Entering? = nil,
        silentApplication: DeviceAddress? = nil, neighbours: [NordicDescription] = []
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
        self.silentApplication = silentApplication
        self.neighbours = neighbours
    }

    package func flash(_ firmware: TestFirmware) async throws -> NordicBenchResult {
        try await flash(firmware.secureImage)
    }

    package func flash(_ image: SecureImage) async throws -> NordicBenchResult {
        try await flash(
            SecureProcedure(image, receiptInterval: receiptInterval),
            entry: entering.map { ButtonlessEntry(name: $0.name) })
    }

    /// Any procedure; `entry` sends the application to its bootloader, nil selects the bootloader.
    package func flash(
        _ procedure: any UpdateProcedure, entry: (any BootloaderEntry)?
    ) async throws -> NordicBenchResult {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { throw BenchError.address }
        var description = NordicDescription(address: address)
        description.personality = personality
        description.timing = timing
        description.softDevice = 0x98
        change(&description)
        let beacon = description
        var run = BenchRun(
            link: link, policy: policy, cancelled: cancelled, examinedAfter: .seconds(1))
        run.controller = controller
        return try await run.update(
            { time in
                (
                    NordicBeacon(beacon, time: time, faults: faults),
                    others: neighbours.map { NordicBeacon($0, time: time) }
                )
            },
            over: { adapter, events in
                EditedAir(base: adapter, passesEveryReport: passesEveryReport) { hearing($0, events) }
            },
            { (updater) async throws(UpdateFailure) -> UpdateReport in
                try await updater.run(
                    procedure, entering: entry,
                    on: entry == nil ? beacon.bootloaderAddress : beacon.address,
                    among: EarlierScan(silentApplication: silentApplication), verifying: verifying,
                    accepting: risks,
                    identifying: identifying, inspect: inspect)
            },
            examining: { beacon, others, now in
                var disturbed = 0
                for other in others { disturbed += await other.statistics.commandsReceived }
                return NordicBeaconState(
                    application: await beacon.runningApplication?.image, statistics: await beacon.statistics,
                    isFree: await beacon.advertisement(at: now) != nil, packetsToOthers: disturbed,
                    session: await beacon.session)
            })
    }
}

/// A Nordic beacon a second after its update.
package struct NordicBeaconState: Sendable {
    package let application: [UInt8]?
    package let statistics: NordicStatistics
    /// Whether the beacon can be heard, which means that it has no link.
    package let isFree: Bool
    /// Write commands that went to other beacons than the selected one.
    package let packetsToOthers: Int
    /// The session statistics, if it has a session.
    package let session: KBeaconStatistics?
}

package typealias NordicBenchResult = BenchResult<NordicBeaconState>

extension NordicBench {
    /// A beacon whose application takes updates itself, by Legacy DFU or by Secure DFU: version 1.15.0, and 1.16.0 after
    /// the update.
    package static func receiver(
        isLegacy: Bool, faults: [Fault] = [], revision: String = "1.15.0", updated: String? = "1.16.0",
        _ change: @escaping @Sendable (inout ApplicationReceiver) -> Void = { _ in }
    ) -> NordicBench {
        NordicBench(
            faults: faults,
            change: {
                if isLegacy { $0.useLegacyBootloader(LegacyDevice(.sdk11)) }
                $0.firmwareRevision = .text(revision)
                var receiver = ApplicationReceiver()
                receiver.updatedRevision = updated
                change(&receiver)
                $0.acceptUpdates(receiver)
            })
    }

    /// The update of such a beacon.
    package func flashReceiver(
        _ firmware: LegacyFirmware, receipts: Int? = nil, expecting version: String? = nil
    ) async throws -> NordicBenchResult {
        try await flash(
            LegacyProcedure(firmware.image, receiptInterval: receipts, versionText: version), entry: nil)
    }

    /// The same over Secure DFU.
    package func flashReceiver(
        _ firmware: TestFirmware, receipts: Int? = nil, expecting version: String? = nil
    ) async throws -> NordicBenchResult {
        try await flash(
            SecureProcedure(firmware.secureImage, receiptInterval: receipts, versionText: version), entry: nil
        )
    }
}
