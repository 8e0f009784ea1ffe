import TestSupport
import Testing
import Tray
import UpdateModel

@testable import BenchPage

@Suite struct `Figures of a bench` {
    private func unit(_ slot: String, _ status: UnitStatus, first: Bool?) -> PageUnit {
        var unit = PageUnit(slot: slot)
        (unit.status, unit.passedFirst) = (status, first)
        return unit
    }

    @Test func `change with a result, not with another attempt`() {
        var units =
            (1...11).map { unit("A\($0)", .passed, first: true) } + [
                unit("B1", .failed, first: false)
            ]
        let before = UnitCounts(units)
        #expect(before.firstPassYield == before.finalYield)
        var reader = RunReader(id: "a", name: "a")
        // The unit by the lines of its run: failed, another attempt, a stall, an error of the bench, and the result.
        func line(_ text: String) { reader.apply(line: text.utf8, at: RecordedTime(milliseconds: 1)) }
        line(#"{"event":"batch-started","schema":1,"run":"r","session":1,"adapters":[]}"#)
        line(#"{"event":"attempt","schema":1,"slot":"B1","attempt":1,"adapter":"hci0"}"#)
        line(#"{"event":"failed","schema":1,"slot":"B1","outcome":"failed","attempts":1}"#)
        let failed = UnitCounts(reader.bench.units)
        #expect(failed.finalYield.share == 0 && failed.firstPassYield.share == 0)
        for text in [
            #"{"event":"attempt","schema":1,"slot":"B1","attempt":2,"adapter":"hci0"}"#,
            #"{"event":"stalled","schema":1,"slot":"B1"}"#,
            #"{"event":"attempted","schema":1,"slot":"B1","attempt":2,"outcome":"error","code":"x"}"#,
            #"{"event":"attempt","schema":1,"slot":"B1","attempt":3,"adapter":"hci0"}"#,
        ] {
            line(text)
            #expect(UnitCounts(reader.bench.units).finalYield.share == 0, "\(text)")
            #expect(UnitCounts(reader.bench.units).firstPassYield.share == 0, "\(text)")
        }
        units[11] = reader.bench.units[0]
        #expect(UnitCounts(units).finalYield == before.finalYield)
        line(#"{"event":"finished","schema":1,"slot":"B1","outcome":"passed","attempts":3}"#)
        units[11] = reader.bench.units[0]
        #expect(UnitCounts(units).finalYield.share == 1)
        #expect(UnitCounts(units).firstPassYield == before.firstPassYield)
    }
}

@Suite struct `A row of the history` {
    @Test(arguments: ["a1", "C0:FF", "lantern", "2AF9", "wo-17", "link-lost", "bench 2", ""])
    func `is found by a part of what identifies it, in any case of letters`(_ text: String) {
        var (run, unit) = (TrayRecord(id: "r1"), UnitRecord(slot: "A1"))
        (run.orderNumber, run.station) = ("WO-17", "Bench 2")
        (unit.address, unit.name, unit.identifier) = ("C0:FF:EE:00:00:01/random", "Lantern 3", "2af93b")
        var attempt = AttemptRecord(number: 1, session: 1, adapter: "hci0", began: .now, address: "")
        attempt.verdict = UnitVerdict(.failed, code: "link-lost")
        let row = PageHistoryRow(run: run, unit: unit, attempt: attempt)
        #expect(row.matches(PageHistoryQuery(text: text)))
        #expect(!row.matches(PageHistoryQuery(text: text + "?")))
        #expect(!row.matches(PageHistoryQuery(text: text, outcome: .passed)))
    }
}
