import Dialog
package import Simulation
package import UpdateBench
import UpdateModel

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
        if bench.description?.reportsVersion == true { traits.insert(.version) }
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

extension SUOTAColumn {
    /// Every kind of chip and SDK, over writes and over a channel.
    package static let all = [
        SUOTAColumn("DA14580, SDK 3", .da14580),
        SUOTAColumn("DA14585 as 1.0", .da14585Old),
        SUOTAColumn("DA14585", .da14585),
        SUOTAColumn("DA14585, bank 1 older", .da14585) {
            $0.board.first?.id = 1
            $0.board.second = SUOTAFirmware(version: "1.1.0", timestamp: 1_650_000_000)
            $0.board.second?.id = 2
        },
        SUOTAColumn("DA14585 with EEPROM", .da14585, pins: .vendorI2C) {
            $0.board.memory = .i2c
            $0.board.pins = PinMap.vendorI2C.number
        },
        SUOTAColumn("DA14585 that says no version", .da14585) { $0.reportsVersion = false },
        SUOTAColumn("DA14531", .da14531),
        SUOTAColumn("DA14681, SDK before 1.3", .da14681Old),
        SUOTAColumn("DA14683", .da14683),
        SUOTAColumn("DA14683, channel", .da14683Channel),
        SUOTAColumn("DA14695", .da14695Attributes),
        SUOTAColumn("DA14695, channel", .da14695),
    ]
}

extension Outcome {
    /// The outcome of sending `firmware` to a device that had the images of `board`; `excuses` are client errors that
    /// the faults explain.
    init(
        _ result: SUOTABenchResult, sending firmware: SUOTAFirmware, to board: SUOTABoard?,
        excusing excuses: Set<SUOTARule>
    ) {
        let isRight = result.running.map(firmware.isWhole) ?? false
        let known = [firmware, board?.first, board?.second].compactMap(\.self)
        let errors = result.statistics.receiver.brokenRules.filter { !excuses.contains($0) }
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case _ where !known.contains(where: { result.next.map($0.isWhole) ?? false }): self = .ruined
        case _ where !errors.isEmpty:
            self = .forbidden(errors.map(\.broken.text).joined(separator: ", "))
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success(let report) where report.verified == .no:
            // A device that does not report its version may run the old image, and the report states that.
            guard result.events.haveWarned(of: .device.activationUnconfirmed) else {
                self = .falseSuccess
                break
            }
            self = isRight ? .rightUnseen : .failed("activation-unconfirmed")
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}

extension SUOTAFirmware {
    fileprivate func isWhole(in image: SUOTABoot.Image) -> Bool {
        image.isIntact && image.payload == payload && image.version == version
    }
}
