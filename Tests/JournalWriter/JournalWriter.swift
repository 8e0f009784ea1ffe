import Glibc
import Tray
import TrayJournal
import UpdateModel

// Writes to a journal until it is killed, or until it cannot, and prints each acknowledged change.
//
//   journal-writer JOURNAL [BYTES]
//
// Each row `{"event":"written","number":N}` means that the N-th change of the journal is on the disk; after every third
// change the unit passes and has an entry in the outbox. With BYTES no file may become longer: the last row is then
// `{"event":"refused","code":CODE}`.

@main
struct JournalWriter {
    static func main() async throws {
        guard CommandLine.arguments.count >= 2 else { exit(64) }
        if CommandLine.arguments.count > 2, let bytes = UInt(CommandLine.arguments[2]) {
            // This program is started for one test, so the limit concerns no other.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }
        do throws(JournalError) {
            try await write(to: CommandLine.arguments[1])
        } catch {
            say("{\"event\":\"refused\",\"code\":\"\(error.code)\"}")
        }
    }

    private static func write(to path: String) async throws(JournalError) {
        let journal = try await Journal.open(at: path, owner: JournalOwner(tray: "writer"))
        let summary = try await journal.latestRun()
        let run: JournalledRun
        if let summary, let found = try await journal.run(summary.run.id) {
            run = found
        } else {
            run = try await journal.begin(TrayRecord(id: "run"))
        }
        // Where the previous writer was killed.
        var unit = (try await journal.record(of: run.id)?.units.count ?? 0) + 1
        var number = 0
        for old in 1..<unit { number += try await journal.changes(of: run.id, slot: "\(old)").count }
        while true {
            let slot = "\(unit)"
            let moment = RecordedTime(milliseconds: Int64(unit))
            try await run.note(UnitRecord(slot: slot))
            var attempt = AttemptRecord(
                number: 1, session: 1, adapter: "sim", began: moment, address: "C0:00:00:00:00:01/random")
            try await run.begin(attempt, of: slot)
            for step in DeviceStep.allCases {
                number += 1
                let at = RecordedTime(milliseconds: Int64(number))
                try await run.willChange(
                    ChangeRecord(step, address: attempt.address, at: at), in: 1, of: slot)
                say("{\"event\":\"written\",\"number\":\(number)}")
            }
            attempt.verdict = UnitVerdict(.passed)
            let entry = OutboxEntry(kind: "hook", key: slot, body: "{\"slot\":\(slot)}")
            try await run.close(slot, UnitVerdict(.passed), ending: attempt, outbox: [entry], at: moment)
            unit += 1
        }
    }

    /// A row in one piece, without buffering.
    private static func say(_ row: String) {
        let bytes = Array((row + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
