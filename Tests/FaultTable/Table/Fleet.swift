import TestSupport

/// All columns of all tables with their counts, from which random runs choose.
package struct Fleet: Sendable {
    private var nordic: [(column: NordicColumn, counts: NordicColumn.Counts)] = []
    private var suota: [(column: SUOTAColumn, counts: SUOTAColumn.Counts)] = []
    private var spoken: [(column: KBeaconColumn, counts: KBeaconColumn.Counts)] = []
    private var feasycom: [(column: FBeaconColumn, counts: FBeaconColumn.Counts)] = []
    private var mcuboot: [(column: MCUbootColumn, counts: MCUbootColumn.Counts)] = []
    private var liars: [(column: AttributeFaultColumn, counts: AttributeFaultColumn.Counts)] = []

    /// Every kind of beacon, or the first of each table.
    package init(atMost most: Int = .max) async throws {
        for column in NordicColumn.all.prefix(most) { nordic.append((column, try await column.counts())) }
        for column in SUOTAColumn.all.prefix(most) { suota.append((column, try await column.counts())) }
        for column in KBeaconColumn.all.prefix(most) { spoken.append((column, try await column.counts())) }
        for column in FBeaconColumn.all.prefix(most) { feasycom.append((column, try await column.counts())) }
        for column in MCUbootColumn.all.prefix(most) { mcuboot.append((column, try await column.counts())) }
        for column in AttributeFaultColumn.all.prefix(most) {
            liars.append((column, try await column.counts()))
        }
    }

    /// The run of `seed`: its outcome, and what is wrong with it; nil if nothing is. Every eighth run is one of a
    /// KBeacon or a Feasycom beacon in turn, and as many are of a beacon with MCUboot. Every sixth of the others has an
    /// injected fault below the update service, and every third of the rest is one of SUOTA.
    package func run(
        seed: UInt64, telling tell: @Sendable (String) -> Void = { _ in }
    ) async throws -> (outcome: Outcome, defect: String?) {
        var random = Seed(seed)
        tell("seed \(seed)")
        if seed.isMultiple(of: 16) { return try await RandomRun(among: feasycom, &random).run(telling: tell) }
        if seed.isMultiple(of: 8) { return try await RandomRun(among: spoken, &random).run(telling: tell) }
        if seed % 8 == 4 { return try await RandomRun(among: mcuboot, &random).run(telling: tell) }
        if random.isOneIn(6) { return try await RandomRun(among: liars, &random).run(telling: tell) }
        return random.isOneIn(3)
            ? try await RandomRun(among: suota, &random).run(telling: tell)
            : try await RandomRun(among: nordic, &random).run(telling: tell)
    }
}
