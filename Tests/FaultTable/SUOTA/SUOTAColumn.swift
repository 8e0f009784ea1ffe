import Dialog
package import Simulation
package import UpdateBench

/// A SUOTA receiver of one kind.
package struct SUOTAColumn: FaultColumn {
    /// Counts from an update without faults.
    package struct Counts: Sendable {
        /// Packets of any kind, including those of a channel.
        package var packets: Int
        /// Write Commands, and packets of a channel.
        package var commands: Int
        /// Values of STATUS.
        package var statuses: Int
        /// Blocks of the image; over a channel, buffers of it.
        package var blocks: Int
        /// Write Requests, approximately: the rest of the packets.
        package var requests: Int { packets - commands }
    }

    /// Properties of some columns, for rows that need them.
    package enum Trait: Hashable, Sendable {
        /// Blocks into one of two banks (58x).
        case banks
        /// A stream into a partition (68x, 69x).
        case stream
        /// The stream comes over a channel.
        case channel
        /// It reports the running version.
        case version
    }

    package let title: String
    package let traits: Set<Trait>
    package let bench: SUOTABench
    /// The image that is sent.
    package static let firmware = SUOTABench.firmware(1200)

    init(
        _ title: String, _ personality: SUOTAPersonality, pins: PinMap? = nil,
        _ change: @escaping @Sendable (inout SUOTADescription) -> Void = { _ in }
    ) {
        self.title = title
        var bench = SUOTABench(personality)
        bench.change = change
        if let pins { bench.preferences.pins = pins }
        self.bench = bench
        var traits: Set<Trait> = personality.family == .da1458x ? [.banks] : [.stream]
        if personality.psm != nil { traits.insert(.channel) }
        if bench.description?.tellsVersion == true { traits.insert(.version) }
        self.traits = traits
    }

    package func attempt(under trouble: SUOTATrouble) async throws -> Attempt {
        var bench = bench
        trouble.apply(to: &bench)
        let result = try await bench.flash(Self.firmware)
        let outcome = Outcome(
            result, sending: Self.firmware, to: bench.description?.board, excusing: trouble.excuses)
        return Attempt(outcome, result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let statistics = try await bench.flash(Self.firmware).statistics
        let buffers = (Self.firmware.payload.count + 511) / 512
        return Counts(
            packets: statistics.packetsReceived, commands: statistics.commandsReceived,
            statuses: statistics.statuses.count, blocks: max(statistics.receiver.blocks, buffers))
    }
}
