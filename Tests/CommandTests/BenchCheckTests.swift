import Testing

@testable import CommandKit

@Suite struct `The state of a bench before a shift` {
    private static let good = BenchFacts(
        air: [BenchFacts.Air(adapter: "hci0", beacons: 50, near: 48, reportsPerSecond: 480)],
        journal: BenchFacts.JournalState(path: "j.sqlite", free: 20_000_000_000),
        catalogue: BenchFacts.CatalogueState(path: "manifests", releases: 12, age: 3),
        isClockSynchronised: true,
        year: 2026)

    private static func facts(_ change: (inout BenchFacts) -> Void) -> BenchFacts {
        var facts = good
        change(&facts)
        return facts
    }

    @Test func `is good if nothing is to be done`() {
        let checks = Check.bench(Self.good)
        #expect(checks.map(\.name) == ["links", "air", "journal", "disk", "clock", "catalogue"])
        // The output says that the number of links of the controller is unknown.
        #expect(checks.map(\.verdict) == [.note, .good, .good, .good, .good, .good])
    }

    @Test(
        arguments: [
            (
                "air",
                facts {
                    $0.air = [BenchFacts.Air(adapter: "hci0", beacons: 0, near: 0, reportsPerSecond: 0)]
                }, .warning
            ),
            (
                "air",
                facts {
                    $0.air = [BenchFacts.Air(adapter: "hci0", beacons: 900, near: 48, reportsPerSecond: 4000)]
                }, .warning
            ),
            ("journal", facts { $0.journal?.flaw = "it is on a share" }, .problem),
            ("journal", facts { $0.journal?.unfinished = 1 }, .note),
            ("journal", facts { $0.journal?.waiting = 12 }, .note),
            ("disk", facts { $0.journal?.free = 1_000_000 }, .problem),
            ("clock", facts { $0.isClockSynchronised = false }, .warning),
            ("clock", facts { $0.isClockSynchronised = nil }, .note),
            ("clock", facts { $0.year = 1970 }, .problem),
            ("catalogue", facts { $0.catalogue?.flaw = "line 3" }, .problem),
            ("catalogue", facts { $0.catalogue?.age = 200 }, .warning),
        ] as [(String, BenchFacts, Check.Verdict)])
    func `comes from each check, with a hint`(name: String, facts: BenchFacts, verdict: Check.Verdict)
        throws
    {
        let check = try #require(Check.bench(facts).first { $0.name == name })
        #expect(check.verdict == verdict)
        #expect(verdict == .note || check.remedy != nil || facts.journal?.flaw != nil)
    }

    @Test func `has no line for what was not checked`() {
        #expect(Check.bench(BenchFacts(isSimulated: true, year: 2026)).map(\.name) == ["links", "clock"])
    }
}
