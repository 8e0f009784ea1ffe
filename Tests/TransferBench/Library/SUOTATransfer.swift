public import Simulation
import UpdateBench
import UpdateModel

/// One receiver of SUOTA, one link and one image, for any number of senders.
public struct SUOTATransfer: Sendable {
    /// The buffer of SDK 6, and blocks that every device accepts.
    private static let rooms = (large: 512, safe: 240)

    /// The receiver.
    public var personality: SUOTAPersonality
    /// The air.
    public var link = LinkModel()
    /// Bytes of code.
    public var size: Int

    /// The image for `personality`, as large as its banks allow and at most 100 000 bytes.
    public init(_ personality: SUOTAPersonality) {
        self.personality = personality
        let bank = personality.banks[1] - personality.banks[0]
        size = min(bank - 1152, 100_000)
    }

    var firmware: SUOTAFirmware { SUOTABench.firmware(size) }

    /// Whole chunks up to the receiver's reported limit, or packets for its channel.
    public var way: SUOTACeiling.Cargo.Way {
        guard personality.psm == nil else { return .channel(packet: personality.channelMTU - 2) }
        // A receiver without a version does not report a limit above 20.
        let chunk =
            personality.version == nil ? 20 : min(personality.patchDataSize, personality.maximumMTU - 3)
        let room = chunk > 20 ? Self.rooms.large : Self.rooms.safe
        return .attributes(block: room / chunk * chunk, chunk: chunk)
    }

    /// The time of a perfect sender of that way; nil if the receiver would not accept the image.
    public var ceiling: SUOTACeiling? {
        SUOTACeiling(of: .init(code: size, way: way), over: link, to: personality)
    }

    /// The program's own sender: the whole engine with its procedure, from the start up to the restart command.
    public func ours() async throws -> TransferResult {
        let result = try await SUOTABench(personality, link: link).flash(firmware)
        let told = Array(zip(result.events, result.moments))
        let start = told.first {
            if case .detail(.log("set-memory-device", .info, _)) = $0.0 { true } else { false }
        }
        let end = told.last { $0.0 == .detail(.rebootSent) }
        var failure = result.failure?.code.rawValue
        if failure == nil, result.running?.payload != firmware.payload { failure = "wrong image" }
        let seconds = start.flatMap { start in end.map { ($0.1 - start.1).seconds } }
        return TransferResult(
            seconds: failure == nil ? seconds : nil, size: size, lost: 0,
            repeated: result.report?.repeatedBytes ?? 0, limit: result.report?.limitedBy.rawValue,
            failure: failure)
    }
}
