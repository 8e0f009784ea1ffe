import TestSupport
import Testing
import Tray
import TraySamples
import UpdateModel

@testable import CommandKit
@testable import FileCommands
@testable import TrayCommands

@Suite struct `A live view of a tray` {
    private static func screen(_ lines: [TerminalText], _ size: TerminalSize) -> TerminalScreen {
        var screen = TerminalScreen(rows: size.rows, columns: size.columns)
        screen.show(lines.map(\.rendered).joined(separator: "\r\n"))
        return screen
    }

    @Test(arguments: [48, 500], [(24, 80), (40, 120), (10, 40), (60, 200)])
    func `fits its terminal at every moment, whatever the beacons' names`(units: Int, _ cells: (Int, Int)) {
        let run = PlayedRun(units: units)
        let size = TerminalSize(rows: cells.0, columns: cells.1)
        for seconds in [0, 3.3, 20, 47, 61.5, 90, 130, 2000] {
            var board = run.board(after: seconds)
            let screen = Self.screen(board.frame(in: size, at: .seconds(seconds)), size)
            #expect(screen.scrolled == 0 && screen.overrun == 0 && screen.unknown.isEmpty, "\(seconds)")
            #expect(screen.lines[size.rows - 1].isEmpty)
        }
    }

    @Test func `of 48 units shows every unit on 24 rows, in its own line or in that of its kind`() {
        var board = PlayedRun(units: 48).board(after: 47)
        let lines = board.frame(in: TerminalSize(rows: 24, columns: 80), at: .seconds(47), hasColour: false)
        let rows = board.rows(room: board.room)
        #expect(rows.count <= board.room)
        let members = rows.flatMap { row in
            switch row {
            case .unit(let unit): [unit]
            case .group(_, let units): units
            }
        }
        #expect(Set(members).count == 48 && members.count == 48)
        let running = board.units.indices.filter { board.units[$0].attempt != nil }
        #expect(running.count > 4)
        for unit in running {
            let isShown = rows.contains(.unit(UnitNumber(unit)))
            #expect(isShown)
        }
        #expect(lines.contains { $0.rendered.hasPrefix("  . ") && $0.rendered.contains("waiting: ") })
    }

    @Test func `shows the worst first`() {
        for count in [48, 500] {
            let board = PlayedRun(units: count).board(after: 70)
            let ranks = board.order.map { board.units[$0.value].status.rank }
            #expect(ranks == ranks.sorted())
            #expect(Set(ranks).count > 5)
        }
    }

    @Test func `with more failures than rows still shows all units at work`() {
        var board = PlayedRun(units: 500).board(after: 900)
        _ = board.frame(in: TerminalSize(rows: 40, columns: 120), at: .seconds(900))
        let rows = board.rows(room: board.room)
        #expect(board.units.count { $0.status == .failed } > 10)
        for (index, unit) in board.units.enumerated() where unit.attempt != nil {
            let isShown = rows.contains(.unit(UnitNumber(index)))
            #expect(isShown, "\(unit.record.slot)")
        }
        #expect(rows.count <= board.room)
    }

    @Test func `shows how long the run takes, and how many units at work have a link`() {
        var board = PlayedRun(units: 48).board(after: 47)
        let running = board.state.counts[.running]
        board.note(.adapter(AdapterNumber(0), links: running - 1, limit: 8), at: .seconds(47))
        for adapter in board.state.adapters.indices.dropFirst() {
            board.note(.adapter(AdapterNumber(adapter), links: 0, limit: 4), at: .seconds(47))
        }
        let size = TerminalSize(rows: 24, columns: 120)
        var lines = board.frame(in: size, at: .seconds(3661.9), hasColour: false).map(\.rendered)
        #expect(lines[0].contains("\(running) running, \(running - 1) linked"), "\(lines[0])")
        #expect(lines[1].hasPrefix("61:01 · "), "\(lines[1])")
        board.note(.adapter(AdapterNumber(0), links: running, limit: 8), at: .seconds(47))
        lines = board.frame(in: size, at: .seconds(47), hasColour: false).map(\.rendered)
        #expect(lines[0].contains("\(running) running") && !lines[0].contains("linked"), "\(lines[0])")
    }

    @Test func `shows what a waiting unit is called, and finds it by that`() throws {
        var board = TrayBoard(
            title: "t", units: [UnitRecord(slot: "A1"), UnitRecord(slot: "A2")], adapters: ["hci0"])
        var heard = UnitRecord(slot: "A2")
        (heard.address, heard.name, heard.identifier) = ("F0:0D:BE:AC:00:02/random", "Lamp 2", "77")
        board.note(.heard(UnitNumber(1), heard), at: .seconds(1))
        let lines = board.frame(in: TerminalSize(), at: .seconds(1), hasColour: false).map(\.rendered)
        #expect(lines.contains { $0.contains("F0:0D:BE:AC:00:02") && $0.contains("Lamp 2") })
        for key in "/lamp" { _ = board.press(.character(key)) }
        #expect(board.order == [UnitNumber(1)])
        #expect(board[UnitNumber(1)]?.status == .waiting)
    }

    @Test func `shows units that a hold keeps from connecting as waiting`() {
        var board = TrayBoard(title: "t", units: [UnitRecord(slot: "A1")], adapters: ["hci0"])
        let attempt = AttemptRecord(
            number: 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0), address: "")
        board.note(.began(UnitNumber(0), attempt), at: .zero)
        var rows = board.frame(in: TerminalSize(), at: .zero, hasColour: false).map(\.rendered)
        #expect(rows.contains { $0.contains("R A1") && $0.hasSuffix("connecting") }, "\(rows)")
        board.note(
            .hold(TrayRecord.Hold(began: RecordedTime(milliseconds: 0), code: "same-cause", message: "m")),
            at: .zero)
        rows = board.frame(in: TerminalSize(), at: .zero, hasColour: false).map(\.rendered)
        #expect(rows.contains { $0.contains(". A1") && $0.hasSuffix("waiting") }, "\(rows)")
    }

    @Test func `shortens runs of slots`() {
        let board = PlayedRun(units: 48).board(after: 0)
        #expect(board.labels([0, 1, 2, 4, 5, 7].map { UnitNumber($0) }) == "A1–A3 A5 A6 A8")
    }

    @Test func `estimates the remaining time once units have finished`() throws {
        let run = PlayedRun(units: 48)
        #expect(run.board(after: 5).secondsLeft(at: .seconds(5)) == nil)
        let early = try #require(run.board(after: 30).secondsLeft(at: .seconds(30)))
        let late = try #require(run.board(after: 60).secondsLeft(at: .seconds(60)))
        // It took 121 s.
        #expect((60...130).contains(early) && (35...90).contains(late) && late < early, "\(early) \(late)")
    }

    @Test func `says why nothing is started, and shows no time left then`() {
        var board = PlayedRun(units: 48).board(after: 47)
        var hold = TrayRecord.Hold(
            began: RecordedTime(milliseconds: 0), code: "same-cause", message: "link-lost came 4 times")
        board.note(.hold(hold), at: .seconds(47))
        let lines = board.frame(in: TerminalSize(), at: .seconds(47), hasColour: false).map(\.rendered)
        #expect(lines[2] == "HELD: link-lost came 4 times; p resumes")
        #expect(!lines[1].contains("ETA"))
        #expect(board.press(.character("p")) == .release)
        hold.released = RecordedTime(milliseconds: 1)
        board.note(.hold(hold), at: .seconds(47))
        #expect(board.hold == nil && !board.isPaused)
        #expect(!board.frame(in: TerminalSize(), at: .seconds(48)).contains { $0.rendered.contains("HELD") })
    }
}

@Suite struct `A run as its lines have it` {
    @Test(arguments: [48, 500]) func `is in the same state as the run itself, at its end`(units: Int) {
        let run = PlayedRun(units: units)
        var bare = run.record.units
        for index in bare.indices { (bare[index].attempts, bare[index].verdict) = ([], nil) }
        var (own, read) = (RunState(units: bare), RunState(units: bare))
        for (at, event) in run.events {
            let (moment, time) = (Duration.seconds(at), RecordedTime(milliseconds: Int64(at * 1000)))
            own.apply(event, at: moment, time: time)
            guard let line = RunEvent(line: event.text.utf8) else {
                Issue.record("\(event.text)")
                continue
            }
            read.apply(line, at: moment, time: time)
            #expect(own.pace(at: moment) == read.pace(at: moment))
        }
        #expect(own.units == read.units)
    }

    /// A record cannot tell a unit at work from one whose run has ended: both are not finished.
    @Test func `counts its units as its record does`() {
        let run = PlayedRun(units: 500)
        var state = RunState(units: run.record.units)
        #expect(counts(in: state) == counts(run.record.counts))
        state = RunState(units: run.record.units.map { UnitRecord(slot: $0.slot) })
        for (at, event) in run.events {
            state.apply(event, at: .seconds(at), time: RecordedTime(milliseconds: 0))
        }
        #expect(counts(in: state) == counts(run.record.counts))
    }

    private func counts(in state: RunState) -> [String: Int] {
        var counts = counts(state.counts)
        let running = counts.removeValue(forKey: "running") ?? 0
        counts["waiting", default: 0] += running
        return counts
    }

    private func counts(_ counts: UnitCounts) -> [String: Int] {
        var all = Dictionary(uniqueKeysWithValues: counts.byStatus.map { ("\($0)", $1) })
        all["first pass"] = counts.firstPassYield.passed
        all["first pass of"] = counts.firstPassYield.counted
        all["final"] = counts.finalYield.passed
        all["final of"] = counts.finalYield.counted
        return all
    }
}

@Suite struct `Keys of a live view` {
    private static func board() -> TrayBoard {
        var board = PlayedRun(units: 48).board(after: 47)
        _ = board.frame(in: TerminalSize(), at: .seconds(47))
        return board
    }

    @Test func `pause and resume`() {
        var board = Self.board()
        #expect(board.press(.character("p")) == .pause)
        #expect(board.isPaused)
        #expect(board.press(.character("p")) == .release)
    }

    @Test func `act on the marked unit, which is the worst one at first`() throws {
        var board = PlayedRun(units: 48).board(after: 47)
        let size = TerminalSize(rows: 24, columns: 80)
        let marked = board.frame(in: size, at: .seconds(47), hasColour: false).map(\.rendered)
            .filter { $0.hasPrefix("> ") }
        let worst = try #require(board.chosen)
        let slot = try #require(board[worst]).record.slot
        #expect(marked.count == 1 && marked.allSatisfy { $0.contains(slot) }, "\(marked)")
        #expect(board[worst]?.status == .failed)
        #expect(board.press(.character("s")) == nil)
        #expect(board.message?.hasSuffix("nothing to skip") == true)
        #expect(board.press(.character("r")) == .retry(worst))
        while board[try #require(board.chosen)]?.status != .running { _ = board.press(.down) }
        #expect(board.press(.character("s")) == board.chosen.map { .skip($0) })
        #expect(board.press(.character("r")) == nil)
    }

    @Test(arguments: [(24, 80), (60, 120)]) func `choose the first and the last unit`(_ cells: (Int, Int)) {
        var board = Self.board()
        let size = TerminalSize(rows: cells.0, columns: cells.1)
        _ = board.frame(in: size, at: .seconds(47))
        let shown = board.rows(room: board.room).compactMap(\.unit)
        _ = board.press(.end)
        #expect(board.chosen == shown.last)
        let lines = board.frame(in: size, at: .seconds(47), hasColour: false).map(\.rendered)
        #expect(lines.contains { $0.hasPrefix("> ") })
        _ = board.press(.home)
        #expect(board.chosen == shown.first && board.scrolledRows == 0)
        _ = board.press(.up)
        #expect(board.chosen == shown.first)
    }

    @Test func `act on no unit that the filter hides`() throws {
        var board = Self.board()
        for key in "/nobody" { _ = board.press(.character(key)) }
        _ = board.press(.enter)
        #expect(board.press(.character("s")) == nil && board.message == "no unit is shown")
        _ = board.press(.escape)
        #expect(board.press(.character("d")) == nil && board.mode != .units)
    }

    @Test func `make units blink that can`() throws {
        var board = Self.board()
        _ = board.press(.down)
        let unit = try #require(board.chosen)
        let slot = try #require(board[unit]?.record.slot)
        #expect(board.press(.character("b")) == nil)
        #expect(board.message == "\(slot) does not advertise that it can blink")
        board.note(.canBlink(unit, true), at: .seconds(47))
        #expect(board.press(.character("b")) == .blink(unit))
        #expect(board.message == "\(slot) is asked to blink")
        board.note(.canBlink(unit, false), at: .seconds(47))
        #expect(board.press(.character("b")) == nil)
    }

    @Test(
        arguments: [
            (.refused(.atWork), "A1 is being updated"),
            (.refused(.alreadyBlinking), "A1 was already asked to blink"),
            (.refused(.notHeard), "no adapter hears A1"), (.refused(.stopped), "the run is ending"),
            (.began(.seconds(5)), "A1 blinks for 5 s"), (.ended, "A1 has blinked"),
            (
                .failed(UnitVerdict(.failed, code: "password-wrong", message: "it is another one")),
                "A1: password-wrong, it is another one"
            ),
        ] as [(BlinkEvent, String)])
    func `report the outcome of a blink, without hiding a prompt`(news: BlinkEvent, words: String) {
        var board = Self.board()
        func foot() -> String? {
            board.frame(in: TerminalSize(), at: .seconds(47), hasColour: false).last?.rendered
        }
        board.note(.blinking(UnitNumber(0), news), at: .seconds(47))
        #expect(foot() == words)
        _ = board.press(.character("q"))
        board.note(.blinking(UnitNumber(0), news), at: .seconds(48))
        #expect(foot()?.hasPrefix("End the run?") == true)
    }

    @Test func `set the filter, and remove it`() throws {
        var board = Self.board()
        for key in "/LINK-lost" { _ = board.press(.character(key)) }
        #expect(board.press(.enter) == nil)
        let size = TerminalSize()
        let lines = board.frame(in: size, at: .seconds(47), hasColour: false).map(\.rendered)
        #expect(board.order.allSatisfy { board[$0]?.record.verdict?.code == "link-lost" })
        #expect(board.order.count > 0 && lines.last?.hasPrefix("/LINK-lost") == true)
        // Letters that are keys are text while a filter is typed.
        #expect(board.press(.escape) == nil)
        #expect(board.filter.isEmpty && board.order.count == 48)
        for key in "/nobody" { _ = board.press(.character(key)) }
        #expect(
            board.frame(in: size, at: .seconds(47), hasColour: false).map(\.rendered).contains(
                "no unit matches 'nobody'"))
        for _ in 0..<7 { _ = board.press(.backspace) }
        #expect(board.filter.isEmpty)
    }

    @Test func `ask before the run is stopped`() {
        var board = Self.board()
        #expect(board.press(.character("q")) == nil)
        #expect(board.press(.character("n")) == nil)
        #expect(board.press(.character("q")) == nil)
        #expect(board.press(.character("y")) == .stop)
        #expect(board.isEnding)
    }

    @Test func `show details and help, and go back`() throws {
        var board = Self.board()
        _ = board.press(.down)
        _ = board.press(.enter)
        let unit = try #require(board.chosen.flatMap { board[$0] })
        let details = board.frame(in: TerminalSize(), at: .seconds(47), hasColour: false).map(\.rendered)
        #expect(details[2] == "\(unit.record.slot): failed")
        #expect(details.contains { $0.contains("next step: ") })
        _ = board.press(.escape)
        #expect(board.mode == .units)
        _ = board.press(.character("?"))
        let help = board.frame(in: TerminalSize(), at: .seconds(47), hasColour: false)
        #expect(help.contains { $0.rendered.contains("make the unit blink") })
        #expect(help.allSatisfy { $0.width < 80 && !$0.rendered.contains("…") })
        _ = board.press(.character("x"))
        #expect(board.mode == .units)
    }

    @Test func `page through all units, each of which is shown once`() {
        var board = Self.board()
        _ = board.press(.character("g"))
        var seen: [String] = []
        for _ in 0..<10 {
            let lines = board.frame(in: TerminalSize(), at: .seconds(47), hasColour: false)
            seen += lines.map { String($0.rendered.dropFirst(4).prefix { $0 != " " && $0 != "*" }) }
            _ = board.press(.pageDown)
        }
        let slots = Set(board.units.map(\.record.slot))
        #expect(slots.isSubset(of: Set(seen)))
        _ = board.press(.home)
        #expect(board.scrolledRows == 0)
    }
}

@Suite struct `Bytes from a terminal` {
    @Test(
        arguments: [
            ("p", [.character("p")]), ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA", [.up]),
            ("\u{1B}[5~", [.pageUp]),
            ("\u{1B}[6~", [.pageDown]), ("\u{1B}[H\u{1B}[1~", [.home, .home]), ("\u{1B}", [.escape]),
            ("\r", [.enter]),
            ("\u{7F}", [.backspace]), ("é東", [.character("é"), .character("東")]), ("\u{1B}[200~", []),
            ("\u{1B}x", [.escape, .character("x")]), ("\u{1}\u{2}", []),
        ] as [(String, [TerminalKey])])
    func `are keys`(_ text: String, _ keys: [TerminalKey]) {
        var reader = KeyReader()
        #expect(reader.keys(Array(text.utf8)) == keys)
    }

    @Test func `may come in pieces`() {
        var reader = KeyReader()
        #expect(reader.keys([0x1B, 0x5B]) == [])
        #expect(reader.keys([0x41]) == [.up])
        #expect(reader.keys([0xE6, 0x9D]) == [])
        #expect(reader.keys([0xB1]) == [.character("東")])
    }

    @Test func `of any kind are consumed as whole sequences`() {
        var seed = Seed(1)
        for _ in 0..<2000 {
            var reader = KeyReader()
            for _ in 0..<8 {
                _ = reader.keys(
                    (0..<Int(seed.next() % 9)).map { _ in UInt8(truncatingIfNeeded: seed.next()) })
            }
            _ = reader.keys(Array("\u{1B}[\u{1B}[\u{1B}[\u{1B}[\u{1B}[~".utf8))
            #expect(reader.keys(Array("~q".utf8)).last == .character("q"))
        }
    }
}
