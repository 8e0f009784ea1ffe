package import Bluetooth
package import CommandKit
package import KKM
package import UpdateEngine
package import UpdateModel

extension HistoryRead {
    /// Reads the records into `path`, page by page.
    package func read(
        _ session: BeaconSession<KBeaconSession>, _ time: Timekeeper, to path: String, under rule: OutputRule,
        _ console: Console
    ) async throws -> ExitStatus {
        let began = time.now
        let summary = try await session.perform { [kind] (peer) throws(SessionFailure) in
            KBeaconHistoryCursor.summary(of: kind, asking: peer)
        }
        let read = WallTime.unixNow
        let clock = KBeaconRecordClock(summary.clock, at: read)
        let rows = try RecordRows(of: kind, by: clock, to: path, under: rule, console)
        var cursor = KBeaconHistoryCursor(
            through: summary, newestFirst ? .newestFirst : .oldestFirst, from: from?.value,
            atMost: self.count.map { Int($0.value) })
        var progress = RecordProgress(through: cursor.expected, from: time.now, console)
        defer { progress.end() }
        while !cursor.isOver {
            let page = try await session.perform { [cursor] (peer) throws(SessionFailure) in
                cursor.question(to: peer)
            }
            let before = cursor.count
            let records = try cursor.take(page)
            try rows.write(
                records.enumerated().map { (cursor.number(after: before + $0.offset), $0.element) })
            progress.tell(cursor.count, at: time.now)
        }
        try rows.finish()
        let count = cursor.count
        if count < cursor.expected {
            console.warn(
                .command.historyShort,
                "the beacon sent only \(count) of the \(cursor.expected) records that it reported")
        }
        console.event(
            JSONLine(
                "history-read",
                [
                    "device": .text(session.address.description), "file": .text(path),
                    "kind": .text(kind.name), "records": .integer(count), "total": .integer(summary.total),
                    "order": .text(newestFirst ? "newest-first" : "oldest-first"),
                    "from": from.map { .integer(Int($0.value)) } ?? .null,
                    "count": self.count.map { .integer(Int($0.value)) } ?? .null,
                    "unread": .integer(summary.unread), "clock": .integer(Int(summary.clock)),
                    "read_at": .text(UnixTime.text(read)),
                    "seconds": .rounded((time.now - began) / .seconds(1)),
                ]))
        if !console.style.isJSON {
            console.talk("\(session.address): \(count) \(count == 1 ? "record" : "records") of \(kind.name)")
        }
        return .done
    }

    /// Prints the beacon's indications until `--for` is over, the link ends, or the command is interrupted.
    package func follow(
        _ session: BeaconSession<KBeaconSession>, _ time: Timekeeper, _ console: Console
    ) async throws -> ExitStatus {
        let (wall, end) = (WallTime(now: time.now), length.map { time.now + .seconds($0) })
        try await wait(session, nil)
        console.talk("listening to \(session.address)")
        var count = 0
        do {
            // Without this check, a missing reader of the output would show only at the next write, perhaps
            // hours later.
            while end.map({ time.now < $0 }) ?? true, !StandardOutput.isOrphaned {
                let limit = min(end.map { $0 - time.now } ?? Self.lookPause, Self.lookPause)
                guard let event = try await wait(session, limit) else { continue }
                count += 1
                console.json(event.line(of: session.address, at: wall.text(time.now)))
            }
        } catch {
            guard Task.isCancelled else { throw error }
        }
        console.event(
            JSONLine(
                "followed", ["device": .text(session.address.description), "indications": .integer(count)]))
        return Task.isCancelled ? .interrupted : .done
    }

    /// How often to check whether the output still has a reader.
    private static let lookPause = Duration.seconds(5)

    @discardableResult private func wait(
        _ session: BeaconSession<KBeaconSession>, _ limit: Duration?
    ) async throws -> KBeaconEvent? {
        try await session.perform { (peer) throws(SessionFailure) in
            KBeaconEventWait(for: peer, within: limit)
        }
    }
}
