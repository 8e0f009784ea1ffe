import Tray
import UpdateModel

extension Check {
    package static func bench(_ facts: BenchFacts) -> [Check] {
        [links(facts)] + facts.air.map(air)
            + [
                facts.journal.map(journal), facts.journal.flatMap(disk), clock(facts),
                facts.catalogue.map(catalogue),
            ].compactMap(\.self)
    }

    /// The least free bytes of a disk: a run of 1000 units with their reports takes a few megabytes.
    private static let leastFree: UInt64 = 100_000_000
    /// The most reports a second with which an adapter still hears beacons well.
    private static let mostReportsPerSecond = 1000.0
    /// A catalogue that was not changed for this many days may lack newer releases.
    private static let staleDays = 90
    /// The year of the program's first release; an earlier clock is wrong.
    private static let firstYear = 2026

    private static func links(_ facts: BenchFacts) -> Check {
        let count = "\(facts.links) links at a time on each adapter"
        guard !facts.isSimulated else {
            return Check("links", .good, "simulated adapters have as many as their scenario sets")
        }
        return Check(
            "links", .note, "\(count), and never more than its controller supports",
            remedy:
                "--links sets more, if the controller's data sheet allows it: current kernels crash when a controller refuses a link"
        )
    }

    private static func air(_ air: BenchFacts.Air) -> Check {
        let words =
            "\(air.adapter) hears \(air.beacons) beacons, \(air.near) of them close to the bench, "
            + "and \(Int(air.reportsPerSecond)) reports a second"
        if air.beacons == 0 {
            return Check(
                "air", .warning, "\(air.adapter) hears nothing",
                remedy: "put a beacon next to it: it can only update beacons that it hears")
        }
        guard air.reportsPerSecond > mostReportsPerSecond else { return Check("air", .good, words) }
        return Check(
            "air", .warning, words,
            remedy:
                "move waiting trays out of the room, or switch them off: links are more reliable with less radio traffic"
        )
    }

    private static func journal(_ journal: BenchFacts.JournalState) -> Check {
        if let flaw = journal.flaw {
            return Check("journal", .problem, flaw, remedy: journal.remedy, exit: .noFile)
        }
        let waiting = journal.waiting > 0 ? ", \(journal.waiting) results that hooks have not accepted" : ""
        guard journal.unfinished == 0, journal.waiting == 0 else {
            return Check(
                "journal", .note,
                "\(journal.path): \(journal.unfinished) \(journal.unfinished == 1 ? "run" : "runs") to resume\(waiting)",
                remedy:
                    "`beacon-dfu history` shows runs, --resume resumes them, `history outbox` shows waiting results"
            )
        }
        return Check("journal", .good, "\(journal.path): nothing left from earlier runs")
    }

    private static func disk(_ journal: BenchFacts.JournalState) -> Check? {
        guard let free = journal.free else { return nil }
        let words = "the journal's disk has \(Quantities.diskSpace(Int(clamping: free))) free"
        guard free < leastFree else { return Check("disk", .good, words) }
        return Check(
            "disk", .problem, words,
            remedy: "free disk space: a run ends when its journal cannot be written", exit: .noFile)
    }

    private static func clock(_ facts: BenchFacts) -> Check {
        if facts.year < firstYear {
            return Check(
                "clock", .problem, "the clock is set to the year \(facts.year)",
                remedy: "set it: reports and the history use it", exit: .failed)
        }
        switch facts.isClockSynchronised {
        case true?: return Check("clock", .good, "the clock is synchronised with a time server")
        case false?:
            return Check(
                "clock", .warning, "the clock is not synchronised",
                remedy: "use a time server (`timedatectl set-ntp true`), or check the clock before each shift"
            )
        case nil: return Check("clock", .note, "it cannot be determined whether the clock is synchronised")
        }
    }

    private static func catalogue(_ catalogue: BenchFacts.CatalogueState) -> Check {
        if let flaw = catalogue.flaw {
            return Check(
                "catalogue", .problem, flaw,
                remedy: "correct it: `beacon-dfu catalogue check` shows all errors", exit: .badFile)
        }
        let words = "\(catalogue.path): \(catalogue.releases) releases, changed \(catalogue.age) days ago"
        guard catalogue.age > staleDays else { return Check("catalogue", .good, words) }
        return Check(
            "catalogue", .warning, words,
            remedy:
                "ask its maintainer whether it is current; `beacon-dfu catalogue diff` compares it with another copy"
        )
    }
}
