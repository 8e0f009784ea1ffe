import Nordic
public import Simulation
import UpdateBench
import UpdateModel

extension TransferBench {
    /// The program's own sender: the whole engine with its Secure DFU procedure.
    public func ours(faults: [Fault] = [], receiptInterval: Int? = nil) async throws -> TransferResult {
        let description = try description()
        let firmware = firmware
        let result = try await NordicBench(
            link: link, faults: faults, receiptInterval: receiptInterval, change: { $0 = description }
        ).flash(firmware)
        var failure = result.failure?.code.rawValue
        if failure == nil, result.application != firmware.bytes { failure = "wrong image" }
        return TransferResult(
            seconds: failure == nil ? result.length?.seconds : nil, size: size,
            lost: result.statistics.bootloader.packetsDropped, repeated: result.repeated,
            limit: result.report?.limitedBy.rawValue, failure: failure)
    }
}

extension NordicBenchResult {
    /// From the first request to the last accepted object, by the engine's events.
    fileprivate var length: Duration? {
        let told = Array(zip(events, moments))
        let start = told.first { $0.0 == .phase(.preparing) }
        let end = told.last { if case .speed = $0.0 { true } else { false } }
        return start.flatMap { start in end.map { $0.1 - start.1 } }
    }

    fileprivate var repeated: Int { events.count { if case .retry = $0 { true } else { false } } }
}
