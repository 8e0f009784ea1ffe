import Simulation
package import UpdateBench

/// A Nordic bootloader of one kind and a way to reach it.
package struct NordicColumn: FaultColumn {
    /// Counts from an update without faults, for each thing that a fault can affect.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
        /// Write commands among them.
        package var commands: Int
        /// The other packets, at least as many as the notifications it has sent.
        package var others: Int { packets - commands }
    }

    /// Properties of some columns, for rows that need them.
    package enum Trait: Hashable, Sendable {
        /// The update begins in the application.
        case application
        /// A part comes before the application.
        case parts
        /// The bootloader talks only to a bonded peer.
        case bonds
        /// The bootloader uses Secure DFU.
        case secure
        /// The application takes the update itself.
        case receiver
    }

    package let title: String
    package let traits: Set<Trait>
    package let bench: NordicBench
    /// The image that runs after a successful update.
    package let image: [UInt8]
    private let update: @Sendable (NordicBench) async throws -> NordicBenchResult

    /// A column of updates by Secure DFU to `firmware`.
    package init(_ title: String, _ bench: NordicBench, _ firmware: TestFirmware, _ traits: Set<Trait> = []) {
        self.init(title, bench, expecting: firmware.image, traits.union([.secure])) {
            try await $0.flash(firmware)
        }
    }

    package init(
        _ title: String, _ bench: NordicBench, expecting image: [UInt8], _ traits: Set<Trait>,
        _ update: @escaping @Sendable (NordicBench) async throws -> NordicBenchResult
    ) {
        self.title = title
        self.traits = traits
        self.bench = bench
        self.image = image
        self.update = update
    }

    /// One update with faults and the other conditions of `trouble`.
    package func attempt(under trouble: NordicTrouble) async throws -> Attempt {
        var bench = bench
        trouble.apply(to: &bench)
        let result = try await update(bench)
        return Attempt(Outcome(result, expecting: image), result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let statistics = try await update(bench).statistics
        return Counts(packets: statistics.packetsReceived, commands: statistics.commandsReceived)
    }
}
