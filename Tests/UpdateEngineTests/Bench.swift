import BluetoothTypes
import Logging
import NordicDFU
import PacketSockets
import Radio
import SimulatedDevice
import SimulatedRadio
import SimulatedTime
import Synchronization
import TestSupport
import Timing
import UpdateCore
import UpdateEngine

/// A firmware whose init packet the simulated bootloaders take: unsigned, hardware 52, SoftDevice 0x98.
///
/// Neither client nor simulator has made the init packet.
struct TestFirmware: Sendable {
    let image: [UInt8]
    let initPacket: [UInt8]

    init(count: Int, version: UInt8 = 1, seed: UInt8 = 0) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) &+ seed }
        image = bytes
        initPacket = UnsignedInitPacket.bytes(for: bytes, version: version)
    }

    var secureImage: SecureImage {
        SecureImage(
            initPacket: initPacket, bytes: image, isSigned: false, firmwareVersion: 1, hardwareVersion: 52,
            softDevices: [0x98])
    }
}

/// What became of one simulated update.
struct BenchResult: Sendable {
    let outcome: Result<UpdateReport, UpdateFailure>
    let events: [UpdateEvent]
    let application: [UInt8]?
    let statistics: BeaconStatistics
    let took: Duration
    /// When each event was reported.
    var moments: [Duration] = []
    /// Whether the beacon can be heard a second after the end: nobody holds a link to it.
    var isFree = false
    /// Write commands that went to other beacons than the selected one.
    var packetsToOthers = 0

    var isRight: Bool { if case .success = outcome { true } else { false } }
    var failure: UpdateFailure? { if case .failure(let failure) = outcome { failure } else { nil } }
    var report: UpdateReport? { try? outcome.get() }
}

/// One update of one simulated beacon in virtual time, over real kernel sockets.
struct Bench: Sendable {
    var personality = BootloaderPersonality.sdk17_1
    var timing = FlashTiming.stock
    var link: LinkModel? = LinkModel()
    var faults: [Fault] = []
    var receiptInterval: Int?
    var policy = RetryPolicy()
    var verifying = true
    /// When the update is cancelled.
    var cancelled: Duration?
    /// What of the beacon can be heard, after what was reported.
    var hearing: @Sendable (DeviceAddress, EventLog) -> Hearing = { _, _ in .normal }
    var change: @Sendable (inout BeaconDescription) -> Void = { _ in }
    /// Sends the application to its bootloader first, which is asked to call itself so.
    var entering: Entering?
    /// An application that was selected and not heard, so that its bootloader was taken.
    var absent: DeviceAddress?
    /// Other beacons that are near.
    var neighbours: [BeaconDescription] = []

    /// How the update begins in the application.
    struct Entering: Sendable {
        var name: String? = "Dfu12345"
    }

    func flash(_ firmware: TestFirmware) async throws -> BenchResult {
        try await flash(firmware.secureImage)
    }

    func flash(_ image: SecureImage) async throws -> BenchResult {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { throw BenchError.address }
        var description = BeaconDescription(address: address)
        description.personality = personality
        description.timing = timing
        description.softDevice = 0x98
        change(&description)
        let beaconDescription = description
        return try await VirtualTime.run { time in
            let keeper = time.keeper
            let beacon = SimulatedBeacon(beaconDescription, time: keeper, faults: faults)
            let strangers = neighbours.map { SimulatedBeacon($0, time: keeper) }
            return try await SimulatedAdapter.withBeacons(
                [beacon] + strangers, link: link, time: keeper, readiness: time
            ) { adapter in
                let events = EventLog(keeper)
                let air = EditedAir(base: adapter) { hearing($0, events) }
                let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: air, policy: policy, log: log) { events.add($0) }
                let procedure = SecureProcedure(image, receiptInterval: receiptInterval)
                let outcome = await running(until: cancelled, by: keeper) {
                    () async throws(UpdateFailure) -> UpdateReport in
                    try await updater.run(
                        procedure, entering: entering.map { ButtonlessEntry(name: $0.name) },
                        on: entering == nil
                            ? beaconDescription.bootloaderAddress : beaconDescription.address,
                        among: Neighbours(absent: absent), verifying: verifying)
                }
                let took = keeper.now
                try await keeper.sleep(for: .seconds(1))
                let isFree = await beacon.advertisement(at: keeper.now) != nil
                var disturbed = 0
                for stranger in strangers { disturbed += await stranger.statistics.commandsReceived }
                return BenchResult(
                    outcome: outcome, events: events.all, application: await beacon.runningApplication?.image,
                    statistics: await beacon.statistics, took: took, moments: events.moments, isFree: isFree,
                    packetsToOthers: disturbed)
            }
        }
    }

    /// What came of `body`, which is cancelled at `moment`.
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
            return .failure(UpdateFailure(.interrupted, during: "the test", message: "nothing ran"))
        }
    }
}

enum BenchError: Error { case address }

/// What was reported, and when.
final class EventLog: Sendable {
    private let time: Timekeeper
    private let events = Mutex<[(Duration, UpdateEvent)]>([])

    init(_ time: Timekeeper) { self.time = time }

    func add(_ event: UpdateEvent) {
        let now = time.now
        events.withLock { $0.append((now, event)) }
    }

    var all: [UpdateEvent] { events.withLock { $0.map(\.1) } }
    var moments: [Duration] { events.withLock { $0.map(\.0) } }

    /// How long ago `phase` began for the last time; nil when it has not.
    func age(of phase: UpdatePhase) -> Duration? {
        let start = events.withLock { $0.last { $0.1 == .phase(phase) }?.0 }
        return start.map { time.now - $0 }
    }
}
