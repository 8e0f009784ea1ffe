import Logging
import NordicDFU
import Radio
import SimulatedDevice
import SimulatedRadio
import SimulatedTime
import Synchronization
import Timing
import UpdateCore
import UpdateEngine

extension TransferBench {
    /// The program's own way: the whole engine with its Secure DFU procedure.
    public func ours() async throws -> TransferResult {
        let description = try description()
        let firmware = firmware
        return try await VirtualTime.run { time in
            let keeper = time.keeper
            let beacon = SimulatedBeacon(description, time: keeper)
            return try await SimulatedAdapter.withBeacons([beacon], link: link, time: keeper, readiness: time)
            {
                adapter in
                let span = Span(keeper)
                let log = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
                let updater = Updater(adapter: adapter, log: log) { span.note($0) }
                var limit: String?
                var failure: String?
                do {
                    limit = try await updater.run(
                        SecureProcedure(firmware), on: description.bootloaderAddress
                    ).limitedBy.rawValue
                } catch let error as UpdateFailure { failure = error.code.rawValue } catch {
                    failure = "\(error)"
                }
                let image = await beacon.runningApplication?.image
                if failure == nil, image != firmware.bytes { failure = "wrong image" }
                let (length, repeated) = span.result
                return TransferResult(
                    seconds: failure == nil ? length?.seconds : nil, size: size,
                    lost: await beacon.statistics.bootloader.packetsDropped, repeated: repeated, limit: limit,
                    failure: failure)
            }
        }
    }
}

/// From the first request to the last accepted object, by what the engine reports.
private final class Span: Sendable {
    private struct State {
        var start: Duration?
        var end: Duration?
        var repeated = 0
    }

    private let time: Timekeeper
    private let state = Mutex(State())

    init(_ time: Timekeeper) { self.time = time }

    func note(_ event: UpdateEvent) {
        let now = time.now
        state.withLock { state in
            switch event {
            case .phase(.preparing): state.start = state.start ?? now
            case .speed: state.end = now
            case .retry: state.repeated += 1
            default: break
            }
        }
    }

    var result: (length: Duration?, repeated: Int) {
        state.withLock { state in
            let length = state.start.flatMap { start in state.end.map { $0 - start } }
            return (length, state.repeated)
        }
    }
}
