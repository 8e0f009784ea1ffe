import Feasycom
public import Simulation
import UpdateBench
import UpdateModel

/// One upgrade of a Feasycom beacon, one link and one container.
public struct FBeaconTransfer: Sendable {
    /// Whether the upgrade continues on the link on which the beacon was entered.
    public var stays: Bool
    /// The air.
    public var link = LinkModel()
    /// The timing of the flash.
    public var timing = FlashTiming.stock
    /// The longest packet that the beacon agrees on.
    public var maximumMTU = 247
    /// Bytes of the payload.
    public var size = 100_000

    /// A beacon of that kind.
    public init(stays: Bool) { self.stays = stays }

    private var bench: FBeaconBench {
        var bench = FBeaconBench(stays: stays, link: link)
        bench.change = { [timing, maximumMTU] in
            $0.timing = timing
            $0.maximumMTU = maximumMTU
        }
        return bench
    }

    /// The time of a perfect sender; nil if the receiver would not accept the payload.
    public var ceiling: FBeaconCeiling? {
        guard let description = try? bench.description() else { return nil }
        return FBeaconCeiling(of: bench.container(size).payload, over: link, to: description)
    }

    /// The program's own sender: the whole engine with its procedure, from the first packet to the answer to the last.
    public func ours() async throws -> TransferResult {
        let result = try await bench.flash(bench.container(size))
        let told = Array(zip(result.events, result.moments))
        let start = told.first { $0.0 == .phase(.transferring) }
        let end = told.last { $0.0 == .phase(.activating) }
        let failure = result.failure?.code.rawValue
        let seconds = start.flatMap { start in end.map { ($0.1 - start.1).seconds } }
        return TransferResult(
            seconds: failure == nil ? seconds : nil, size: size, lost: 0,
            repeated: result.report?.repeatedBytes ?? 0, limit: result.report?.limitedBy.rawValue,
            failure: failure)
    }
}
