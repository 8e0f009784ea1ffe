import MCUboot
public import Simulation
import UpdateBench
import UpdateModel

/// One update over SMP, one link and one image.
public struct SMPTransfer: Sendable {
    /// What a server takes.
    public enum Server: String, CaseIterable, Sendable {
        /// Frames of one packet: Zephyr's default.
        case packets = "packets of their own"
        /// Frames of several packets: the configuration that its makers recommend for Bluetooth.
        case joined = "joined packets"
    }

    /// The server.
    public var server: Server
    /// The most requests under way that the user allows; nil for what the server's buffers take.
    public var window: Int?
    /// The air.
    public var link = LinkModel()
    /// The timing of the flash.
    public var timing = FlashTiming.instant
    /// The longest packet that the beacon agrees on.
    public var maximumMTU = 247
    /// Bytes of program in the image.
    public var size = 100_000

    /// An update of that server with as many requests under way as it takes.
    public init(_ server: Server, window: Int? = nil) { (self.server, self.window) = (server, window) }

    private var image: MCUbootTestImage { MCUbootTestImage(size) }

    private var bench: MCUbootBench {
        var bench = MCUbootBench(link: link) { [self] in
            $0.timing = timing
            $0.maximumMTU = maximumMTU
            $0.server.reassembles = server == .joined
            $0.server.bufferSize = server == .joined ? 2475 : 384
        }
        bench.preferences.window = window
        return bench
    }

    /// The time of a perfect sender; nil if no first request fits.
    public var ceiling: SMPCeiling? {
        guard let description = try? bench.description() else { return nil }
        let most = description.server.buffers - 1
        return SMPCeiling(
            of: image.bytes, over: link, to: description, window: min(most, window ?? most))
    }

    /// The program's own sender: the whole engine with its procedure, from the first upload request to the last answer.
    public func ours() async throws -> TransferResult {
        let result = try await bench.flash([image])
        let broken = result.record.brokenRules.first.map { "breaks \($0.broken.id)" }
        let failure = result.failure?.code.rawValue ?? broken
        // The report's time begins when the first request was handed over.
        let told = Array(zip(result.events, result.moments))
        let start = told.first { $0.0 == .phase(.transferring) }?.1
        let sent = told.first { if case .progress = $0.0 { true } else { false } }?.1
        let lead = start.flatMap { start in sent.map { ($0 - start).seconds } } ?? 0
        return TransferResult(
            seconds: failure == nil ? result.report.map { $0.transferSeconds + lead } : nil,
            size: image.bytes.count,
            lost: result.record.dropped, repeated: result.report?.repeatedBytes ?? 0,
            limit: result.report?.limitedBy.rawValue, failure: failure)
    }
}
