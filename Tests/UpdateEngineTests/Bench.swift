import BluetoothTypes
import Digests
import Logging
import NordicDFU
import PacketSockets
import Radio
import SimulatedDevice
import SimulatedRadio
import Synchronization
import TestSupport
import Timing
import UpdateCore
import UpdateEngine
import VirtualTime

/// A firmware whose init packet the simulated bootloaders take: unsigned, hardware 52, SoftDevice 0x98.
///
/// The init packet is written here byte by byte, so that neither client nor simulator has made it.
struct TestFirmware: Sendable {
    let image: [UInt8]
    let initPacket: [UInt8]

    init(count: Int, version: UInt8 = 1, seed: UInt8 = 0) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) &+ seed }
        image = bytes
        func varint(_ value: Int) -> [UInt8] {
            value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
        }
        let hash: [UInt8] = [0x08, 0x03, 0x12, 0x20] + SHA256Digest.digest(bytes).reversed()
        let fields: [UInt8] =
            [0x08, version, 0x10, 52, 0x1A, 2, 0x98, 0x01, 0x20, 0, 0x28, 0, 0x30, 0, 0x38] + varint(count)
            + [0x42, UInt8(hash.count)] + hash + [0x48, 0]
        let command: [UInt8] = [0x08, 0x01, 0x12, UInt8(fields.count)] + fields
        initPacket = [0x0A, UInt8(command.count)] + command
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
    var change: @Sendable (inout BeaconDescription) -> Void = { _ in }

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
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: link, time: keeper, readiness: time
            ) { adapter in
                let events = EventLog()
                let updater = Updater(
                    adapter: adapter, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ) {
                    events.add($0)
                }
                let procedure = SecureProcedure(image, receiptInterval: receiptInterval)
                let outcome: Result<UpdateReport, UpdateFailure>
                do throws(UpdateFailure) {
                    outcome = .success(
                        try await updater.run(procedure, on: beaconDescription.bootloaderAddress))
                } catch {
                    outcome = .failure(error)
                }
                return BenchResult(
                    outcome: outcome, events: events.all, application: await beacon.runningApplication?.image,
                    statistics: await beacon.statistics, took: keeper.now)
            }
        }
    }
}

enum BenchError: Error { case address }

final class EventLog: Sendable {
    private let events = Mutex<[UpdateEvent]>([])
    func add(_ event: UpdateEvent) { events.withLock { $0.append(event) } }
    var all: [UpdateEvent] { events.withLock { $0 } }
}
