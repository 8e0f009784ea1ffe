public import Simulation

/// The time that a perfect sender of an upload over SMP takes, in named terms (docs/performance.md): from the first
/// upload request to the answer to the last one.
public struct SMPCeiling: Hashable, Sendable {
    /// The events that the packets take if none of them waits for an answer.
    public let air: Duration
    /// What waiting for answers adds: the first request is alone, and later ones need a free buffer.
    public let answers: Duration
    /// The time that erasing and writing add.
    public let flash: Duration
    /// Upload requests.
    public let requests: Int
    /// Bytes of the image.
    public let image: Int

    /// From the first request to the last answer.
    public var total: Duration { air + answers + flash }
    /// The image by `total`.
    public var bytesPerSecond: Double { Double(image) / (total / .seconds(1)) }
    /// The largest term.
    public var limit: String {
        [("air", air), ("answers", answers), ("flash", flash)].max { $0.1 < $1.1 }?.0 ?? ""
    }

    /// The ceiling for `image` over a link without losses, with at most `window` requests under way; nil if the server
    /// would not accept it.
    public init?(of image: [UInt8], over link: LinkModel, to description: MCUbootDescription, window: Int) {
        let write = min(description.maximumMTU - 3, Self.longestWrite)
        let buffer = description.server.bufferSize
        var best: (real: PerfectSMPSender, quick: PerfectSMPSender)?
        // Whole packets, or all of a buffer.
        let frames = description.server.reassembles ? [buffer / write * write, buffer] : [min(write, buffer)]
        for frame in frames {
            let limits = PerfectSMPSender.Limits(frame: frame, write: write, window: window)
            var instant = description
            instant.timing = .instant
            var real = PerfectSMPSender(link, description, limits)
            var quick = PerfectSMPSender(link, instant, limits)
            guard real.send(image), quick.send(image) else { continue }
            if let found = best, found.real.now <= real.now { continue }
            best = (real, quick)
        }
        guard let (real, quick) = best else { return nil }
        (air, answers) = (quick.carrying, quick.now - quick.carrying)
        (flash, requests) = (real.now - quick.now, real.requests)
        self.image = image.count
    }

    /// Some devices do not answer longer ones (mcuboot-smp.md, Layout).
    private static let longestWrite = 495
}
