import FoundationEssentials
import Testing
import Tray

@testable import BenchPage
@testable import TrayJournal

@Suite(.timeLimit(.minutes(1))) struct `A followed journal` {
    @Test func `is shown when it changes, with its waiting outbox, and is queried for orders and history`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "follow-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/journal.sqlite"
        let source = RunSource(id: "here", name: "here", journal: JournalReader(path))
        let following = Task { await source.follow(journal: path) { Bench.Catalogue(version: "of \($0)") } }
        defer { following.cancel() }
        var states = source.states().makeAsyncIterator()
        #expect(await states.next()?.benches[0].run == nil)

        let journal = try await Journal.open(at: path, owner: JournalOwner(tray: "t.yaml"))
        var record = TrayRecord(id: UUID().uuidString.lowercased())
        (record.orderNumber, record.tray) = ("WO-7", "t.yaml")
        record.units = [UnitRecord(slot: "A1"), UnitRecord(slot: "A2")]
        record.sessions = [TrayRecord.Session(number: 1, began: .now, version: "1")]
        _ = try await journal.begin(record)
        var shown = await states.next()
        while let state = shown, state.benches[0].units.count != 2 { shown = await states.next() }
        #expect(shown?.benches[0].run?.order == "WO-7" && shown?.benches[0].isPast == false)
        let orders = try await source.orders(limit: 10).orders
        #expect(
            orders.map(\.number) == ["WO-7"] && orders[0].state == "open" && orders[0].counts[.waiting] == 2)
        #expect(try await source.history(PageHistoryQuery()).isEmpty)
        while let state = shown, state.benches[0].catalogue == nil { shown = await states.next() }
        #expect(shown?.benches[0].catalogue?.version == "of WO-7")
        #expect(shown?.benches[0].silence == nil && shown?.benches[0].actions == [])
        // Its program has ended without writing the end of the run.
        journal.close()
        while let state = shown, state.benches[0].silence == nil { shown = await states.next() }
        #expect(shown?.benches[0].silence?.reason.hasPrefix("the run was cut off") == true)
        let again = try await Journal.open(at: path, owner: JournalOwner(tray: "t.yaml"))
        _ = try await again.begin(TrayRecord(id: UUID().uuidString.lowercased()))
        while let state = shown, state.benches[0].silence != nil { shown = await states.next() }
        #expect(shown?.benches[0].silence == nil)
        again.close()
    }

    @Test(arguments: [
        ("1: FLOCK  ADVISORY  WRITE 14225 fe:00:162 0 EOF", true),
        ("1: POSIX  ADVISORY  WRITE 14225 fe:00:162 0 EOF", false),
        ("1: FLOCK  ADVISORY  WRITE 14225 fe:00:1162 0 EOF", false),
        ("1: -> FLOCK  ADVISORY  WRITE 14225 fe:00:162 0 EOF", false), ("1: FLOCK", false), ("", false),
        ("1: POSIX  ADVISORY  READ 1 fe:00:162 128 128\n2: FLOCK  ADVISORY  WRITE -1 00:2f:162 0 EOF", true),
    ]) func `is at work while the kernel reports that its lock is held`(_ locks: String, _ isHeld: Bool) {
        #expect(Journal.isLocked(162, in: locks) == isHeld)
    }

    @Test func `that is missing is reported, and looked for again later`() async {
        let book = JournalReader("/nowhere/journal.sqlite")
        await #expect(throws: PageRefusal.self) { try await book.orders(limit: 1) }
        #expect(FileWatch("/nowhere", ["journal"]) == nil)
    }

    @Test func `is named by events; an incomplete event is ignored`() {
        var bytes = [UInt8](repeating: 0, count: 12) + [16, 0, 0, 0] + Array("journal.sqlite".utf8) + [0, 0]
        #expect(FileWatch.names(bytes[...]) == ["journal.sqlite"])
        bytes[12] = 17
        #expect(FileWatch.names(bytes[...]).isEmpty)
        bytes[15] = 0xFF
        #expect(FileWatch.names(bytes[...]).isEmpty)
        #expect(FileWatch.names(bytes[..<10]).isEmpty)
    }
}
