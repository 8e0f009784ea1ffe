package import SimulatedDevice
package import TestSupport
import UpdateBench

/// A kind of beacon that lies below its update service.
package struct LieColumn: FaultColumn {
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
    }

    /// Every lie can be told by every beacon.
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

    package func attempt(under trouble: LieTrouble) async throws -> Attempt {
        try await attempt(under: trouble.faults)
    }

    /// One update under any faults.
    package func attempt(under faults: [Fault]) async throws -> Attempt { try await update(faults) }

    package func counts() async throws -> Counts { Counts(packets: try await packets()) }

    package func anyTrouble(_ counts: Counts, _ random: inout Seed) -> LieTrouble {
        LieTrouble(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (.any(&random), Int.random(in: 1...counts.packets, using: &random))
            })
    }

    package func mayFail(under trouble: LieTrouble) -> Set<String> {
        trouble.lies.reduce(into: ["activation-unconfirmed", "version-mismatch"]) {
            $0.formUnion($1.lie.mayFail)
        }
    }
}

extension LieColumn {
    /// One of each kind of update.
    package static let all: [LieColumn] = {
        let firmware = TestFirmware(count: 4096 + 300, isSigned: true)
        let secure = NordicColumn("", Bench(), firmware)
        let application = NordicColumn(
            "", Bench(change: { $0.program = .application }, entering: Bench.Entering()), firmware,
            [.application])
        let legacy = (try? LegacyFirmware(count: 2000)).map { firmware in
            NordicColumn("", .legacy(.sdk11), expecting: firmware.bytes, []) {
                try await $0.flash(firmware)
            }
        }
        return [
            LieColumn("Secure, SDK 17.1", secure),
            LieColumn("Secure, SDK 17.1, from the application", application),
        ] + (legacy.map { [LieColumn("Legacy, SDK 11", $0)] } ?? []) + [
            LieColumn("SUOTA, DA14585", SUOTAColumn("", .da14585)),
            LieColumn("SUOTA, DA14683, channel", SUOTAColumn("", .da14683Channel)),
        ]
    }()

    /// Every lie, from the first packet on and from three later places on.
    package static let rows: [Row<LieColumn>] = AttributeLie.all.map { lie in
        Row(lie.title, mayFail: lie.mayFail) { counts in
            [1, counts.packets / 3, counts.packets * 2 / 3, counts.packets - 2].map {
                LieTrouble(lie, fromPacket: max(1, $0))
            }
        }
    }
}
