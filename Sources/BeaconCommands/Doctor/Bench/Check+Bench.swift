import Tray

extension Check {
    /// What `facts` mean for a shift of trays.
    static func bench(_ facts: BenchFacts) -> [Check] {
        [links(facts)] + facts.air.map(air)
            + [
                facts.journal.map(journal), facts.journal.flatMap(disk), clock(facts),
                facts.catalogue.map(catalogue),
            ]
            .compactMap(\.self)
    }

    /// What a disk has to have free: a run of 1000 units with their reports is a few megabytes.
    private static let leastFree: UInt64 = 100_000_000
    /// More than this is heard badly, for every report takes air and time.
    private static let crowd = 1000.0
    /// A catalogue that nobody has touched for so long may lack what was released since.
    private static let staleDays = 90
    /// Before this one the program was not there.
    private static let firstYear = 2026

    private static func links(_ facts: BenchFacts) -> Check {
        let count = "\(facts.links) links at a time on each adapter"
        guard !facts.isSimulated else {
            return Check(
                name: "links", verdict: .good,
                message: "simulated adapters hold as many as their scenario says")
        }
        return Check(
            name: "links", verdict: .note, message: "\(count), and never one more than its controller holds",
            remedy:
                "--links allows more where the controller's data sheet does: kernels in use crash when a controller refuses a link"
        )
    }

    private static func air(_ air: BenchFacts.Air) -> Check {
        let words =
            "\(air.adapter) hears \(air.beacons) beacons, \(air.near) of them as near as the bench, "
            + "in \(Int(air.reportsPerSecond)) reports a second"
        if air.beacons == 0 {
            return Check(
                name: "air", verdict: .warning, message: "\(air.adapter) hears nothing",
                remedy: "put a beacon beside it: an adapter that hears nobody updates nobody")
        }
        guard air.reportsPerSecond > crowd else { return Check(name: "air", verdict: .good, message: words) }
        return Check(
            name: "air", verdict: .warning, message: words,
            remedy:
                "take trays that wait out of the room, or switch them off: links last longer in a quiet air")
    }

    private static func journal(_ journal: BenchFacts.JournalState) -> Check {
        if let flaw = journal.flaw {
            return Check(
                name: "journal", verdict: .problem, message: flaw, remedy: journal.remedy, exit: .noFile)
        }
        let waiting = journal.waiting > 0 ? ", \(journal.waiting) results that hooks have not taken" : ""
        guard journal.unfinished == 0, journal.waiting == 0 else {
            return Check(
                name: "journal", verdict: .note,
                message:
                    "\(journal.path): \(journal.unfinished) \(journal.unfinished == 1 ? "run" : "runs") to resume\(waiting)",
                remedy: "`beacon-dfu history` shows them, --resume goes on, `history outbox` shows what waits"
            )
        }
        return Check(
            name: "journal", verdict: .good, message: "\(journal.path): nothing left from earlier runs")
    }

    private static func disk(_ journal: BenchFacts.JournalState) -> Check? {
        guard let free = journal.free else { return nil }
        let words = "\(Quantities.room(Int(clamping: free))) free for the journal"
        guard free < leastFree else { return Check(name: "disk", verdict: .good, message: words) }
        return Check(
            name: "disk", verdict: .problem, message: words,
            remedy: "make room: a run ends when its journal cannot be written", exit: .noFile)
    }

    private static func clock(_ facts: BenchFacts) -> Check {
        if facts.year < firstYear {
            return Check(
                name: "clock", verdict: .problem, message: "the clock says that it is \(facts.year)",
                remedy: "set it: reports and the history go by it", exit: .failed)
        }
        switch facts.isClockKept {
        case true?: return Check(name: "clock", verdict: .good, message: "the clock is kept by a time server")
        case false?:
            return Check(
                name: "clock", verdict: .warning, message: "the clock is not synchronised",
                remedy:
                    "let a time server do it (`timedatectl set-ntp true`), or look at it before each shift")
        case nil:
            return Check(name: "clock", verdict: .note, message: "whether the clock is kept cannot be told")
        }
    }

    private static func catalogue(_ catalogue: BenchFacts.CatalogueState) -> Check {
        if let flaw = catalogue.flaw {
            return Check(
                name: "catalogue", verdict: .problem, message: flaw,
                remedy: "correct it: `beacon-dfu catalogue check` shows every place", exit: .badFile)
        }
        let words = "\(catalogue.path): \(catalogue.releases) releases, changed \(catalogue.age) days ago"
        guard catalogue.age > staleDays else {
            return Check(name: "catalogue", verdict: .good, message: words)
        }
        return Check(
            name: "catalogue", verdict: .warning, message: words,
            remedy:
                "ask whoever keeps it whether that is all; `beacon-dfu catalogue diff` compares it with theirs"
        )
    }
}

extension TrayRecord.Check {
    /// As it is kept with a run.
    init(_ check: Check) {
        let level =
            switch check.verdict {
            case .good, .note: "ok"
            case .warning: "warning"
            case .problem: "error"
            }
        self.init(check.name, level, check.message)
    }
}
