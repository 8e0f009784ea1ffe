package import Simulation
package import TestSupport
import UpdateBench

/// A kind of beacon with injected faults below its update service.
package struct AttributeFaultColumn: FaultColumn {
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
    }

    /// Every fault can be injected into every beacon.
    package enum Trait: Hashable, Sendable {}

    package let title: String
    package var traits: Set<Trait> { [] }
    private let update: @Sendable ([Fault]) async throws -> Attempt
    private let packets: @Sendable () async throws -> Int

    init(_ title: String, _ column: NordicColumn) {
        self.title = title
        update = { try await column.attempt(under: NordicTrouble($0)) }
        packets = { try await column.counts().packets }
    }

    init(_ title: String, _ column: SUOTAColumn) {
        self.title = title
        update = { try await column.attempt(under: SUOTATrouble($0)) }
        packets = { try await column.counts().packets }
    }

    package func attempt(under trouble: AttributeFaultTrouble) async throws -> Attempt {
        try await attempt(under: trouble.faults)
    }

    /// One update under any faults.
    package func attempt(under faults: [Fault]) async throws -> Attempt { try await update(faults) }

    package func counts() async throws -> Counts { Counts(packets: try await packets()) }

    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> AttributeFaultTrouble {
        AttributeFaultTrouble(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (.any(&random), Int.random(in: 1...counts.packets, using: &random))
            })
    }

    package func mayFail(under trouble: AttributeFaultTrouble) -> Set<String> {
        trouble.attributeFaults.reduce(into: ["activation-unconfirmed", "version-mismatch"]) {
            $0.formUnion($1.attributeFault.mayFail)
        }
    }
}

extension AttributeFaultColumn {
    /// One of each kind of update.
    package static let all: [AttributeFaultColumn] = {
        let firmware = TestFirmware(count: 4096 + 300, isSigned: true)
        let secure = NordicColumn("", NordicBench(), firmware)
        let application = NordicColumn(
            "", NordicBench(change: { $0.program = .application }, entering: NordicBench.Entering()),
            firmware,
            [.application])
        let legacy = (try? LegacyFirmware(count: 2000)).map { firmware in
            NordicColumn("", .legacy(.sdk11), expecting: firmware.bytes, []) {
                try await $0.flash(firmware)
            }
        }
        return [
            AttributeFaultColumn("Secure, SDK 17.1", secure),
            AttributeFaultColumn("Secure, SDK 17.1, from the application", application),
        ] + (legacy.map { [AttributeFaultColumn("Legacy, SDK 11", $0)] } ?? []) + [
            AttributeFaultColumn("SUOTA, DA14585", SUOTAColumn("", .da14585)),
            AttributeFaultColumn("SUOTA, DA14683, channel", SUOTAColumn("", .da14683Channel)),
        ]
    }()

    /// Every fault, from the first packet on and from three later places on.
    package static let rows: [Row<AttributeFaultColumn>] = AttributeFault.all.map { attributeFault in
        Row(attributeFault.title, mayFail: attributeFault.mayFail) { counts in
            [1, counts.packets / 3, counts.packets * 2 / 3, counts.packets - 2].map {
                AttributeFaultTrouble(attributeFault, fromPacket: max(1, $0))
            }
        }
    }
}
