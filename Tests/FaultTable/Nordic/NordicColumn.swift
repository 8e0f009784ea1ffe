import SimulatedDevice
package import UpdateBench

/// A Nordic bootloader of one kind and a way to reach it.
package struct NordicColumn: FaultColumn {
    /// What an update without faults has shown: how many there are of what a fault can meet.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
        /// Write commands among them.
        package var commands: Int
        /// What else it has received, which is at least as many as it has sent notifications.
        package var others: Int { packets - commands }
    }

    /// What only some columns have, and only some rows are about.
    package enum Trait: Hashable, Sendable {
        /// The update begins in the application.
        case application
        /// A part comes before the application.
        case parts
        /// The bootloader talks to a bonded peer only.
        case bonds
        /// It is spoken to by Secure DFU.
        case secure
        /// The application takes the update itself.
        case receiver
    }

    package let title: String
    package let traits: Set<Trait>
    package let bench: Bench
    /// What runs in the end when all went well.
    package let image: [UInt8]
    private let update: @Sendable (Bench) async throws -> BenchResult

    /// A column of updates by Secure DFU to `firmware`.
    package init(_ title: String, _ bench: Bench, _ firmware: TestFirmware, _ traits: Set<Trait> = []) {
        self.init(title, bench, expecting: firmware.image, traits.union([.secure])) {
            try await $0.flash(firmware)
        }
    }

    package init(
        _ title: String, _ bench: Bench, expecting image: [UInt8], _ traits: Set<Trait>,
        _ update: @escaping @Sendable (Bench) async throws -> BenchResult
    ) {
        self.title = title
        self.traits = traits
        self.bench = bench
        self.image = image
        self.update = update
    }

    /// One update with faults and everything else that `trouble` changes.
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
