package import ArgumentParser
import Bluetooth
import Bytes
package import CommandKit
import Firmware
import UpdateEngine
package import UpdateModel

package struct HistoryRead: SessionCommand {
    package static let configuration = CommandConfiguration(
        commandName: "history-read",
        abstract: "Read the records of one beacon, or follow its trigger indications.",
        discussion: """
            Example: `beacon-dfu history-read --device BC:57:29:02:45:9F --out records.csv`.

            \(vendors.map(\.beacons).joined(separator: " and ")) send records and trigger indications in a session, with their password in --secrets or the factory password. \
            All records are read, the oldest first, unless --newest-first, --from or --count select others. The beacon keeps its \
            records and its count of unread ones. Times are given as recorded, and in UTC if that can be determined.
            """)

    private static var vendors: [any RecordsVendor] {
        KnownVendors.withSessions.compactMap { $0 as? any RecordsVendor }
    }
    static var kinds: [RecordKind] { vendors.flatMap(\.recordKinds) }

    private static var kindTitles: String {
        let titles = kinds.map(\.title)
        return "\(titles.dropLast().joined(separator: ", ")) or \(titles.last ?? "none")"
    }

    @OptionGroup package var session: SessionOptions
    @Option(
        "Write the records to this file, as a spreadsheet (CSV); - is stdout.", valueName: "path",
        completion: .file(extensions: ["csv"]))
    var out: String?
    @Option("The kind of records: \(Self.kindTitles).", valueName: "kind")
    package var kind = Self.kinds.first ?? RecordKind("none", columns: [])
    @Flag(help: "Start with the newest record and go back. Default: start with the oldest.")
    var newestFirst = false
    @Option("Start with this record; the oldest one is 1.", valueName: "number")
    package var from: WholeNumber<UInt32>?
    @Option("The most records to read.", valueName: "records") package var count: WholeNumber<UInt32>?
    @Flag(help: "Print indications when the beacon's triggers fire, one JSON object a line, until Ctrl-C.")
    package var follow = false
    @Option("How long to follow, up to 86400.", name: .customLong("for"), valueName: "seconds")
    package var length: Double?
    @OptionGroup package var common: CommonOptions

    package func validate() throws {
        try require((out != nil) != follow, "give either --out to read records, or --follow")
        try require(
            out != RecordRows.standardOutput || !common.json,
            "give --json or --out -, not both: each uses stdout")
        try require(
            !follow || !newestFirst && from == nil && count == nil,
            "--newest-first, --from and --count require --out")
        try require(from?.value != 0 && count?.value != 0, "--from and --count are numbers from 1")
        try require(length == nil || follow, "--for requires --follow")
        try require(seconds: length, of: "--for", atMost: 86_400)
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.protecting([common.logFile])
        let capture = session.radio.capture
        if let out { try RecordRows.check(out, under: rule.protecting([capture])) }
        return try await session.withBeacon(console, log: log, under: rule.protecting([out])) { found in
            let vendor = try found.vendor(as: (any RecordsVendor).self, for: "to read its records")
            return try await run(vendor, found, under: rule.protecting([capture]))
        }
    }

    private func run(
        _ vendor: some RecordsVendor, _ found: SessionOptions.Found, under rule: OutputRule
    ) async throws -> ExitStatus {
        try await found.withSession(vendor) { session in
            guard let out else { return try await follow(session, vendor, found) }
            return try await read(session, vendor, found, to: out, under: rule)
        }
    }

    package init() {}

    private func read<Vendor: RecordsVendor>(
        _ session: BeaconSession<Vendor.Session>, _ vendor: Vendor, _ found: SessionOptions.Found,
        to path: String, under rule: OutputRule
    ) async throws -> ExitStatus {
        let (time, console) = (found.adapter.time, found.console)
        let began = time.now
        let summary = try await session.perform { [kind] (peer) throws(SessionFailure) in
            try vendor.summary(of: kind, from: peer)
        }
        let read = WallTime.unixNow
        let rows = try RecordRows(of: kind, to: path, under: rule, console)
        let selection = RecordSelection(
            newestFirst: newestFirst, from: from?.value, atMost: self.count.map { Int($0.value) })
        var cursor = vendor.cursor(through: summary, selection, at: read)
        var progress = RecordProgress(through: cursor.expected, from: time.now, on: found.line, console)
        while !cursor.isOver {
            let page = try await session.perform { [cursor] in cursor.query(to: $0) }
            try rows.write(try cursor.take(page))
            progress.report(cursor.count, at: time.now)
        }
        try rows.finish()
        let count = cursor.count
        if count < cursor.expected {
            console.warn(
                .command.historyShort,
                "the beacon sent only \(count) of the \(cursor.expected) records that it reported")
        }
        console.report(
            JSONLine("history-read").adding([
                "device": .text(session.address.description), "file": .text(path), "kind": .text(kind.name),
                "records": .integer(count), "total": .integer(summary.total),
                "order": .text(newestFirst ? "newest-first" : "oldest-first"),
                "from": .optional(from?.value), "count": .optional(self.count?.value),
                "unread": .integer(summary.unread), "clock": .integer(summary.clock),
                "read_at": .text(UnixTime.text(read)), "seconds": .rounded((time.now - began) / .seconds(1)),
            ])
        ) {
            console.notice("\(session.address): \(Quantities.count(count, "record")) of \(kind.name)")
        }
        return .done
    }

    /// Prints the beacon's indications until `--for` is over, the link ends, or the command is interrupted.
    private func follow<Vendor: RecordsVendor>(
        _ session: BeaconSession<Vendor.Session>, _ vendor: Vendor, _ found: SessionOptions.Found
    ) async throws -> ExitStatus {
        let (time, console) = (found.adapter.time, found.console)
        let (wall, end) = (WallTime(now: time.now), length.map { time.now + .seconds($0) })
        try await wait(session, vendor, nil)
        console.notice("listening to \(session.address)")
        found.line.show("listening to \(session.address)", for: length.map { .seconds($0) })
        var count = 0
        do {
            // Without this check, a lost reader would be noticed only at the next write, perhaps hours later.
            while end.map({ time.now < $0 }) ?? true, !console.hasLostReader {
                let limit = min(
                    end.map { $0 - time.now } ?? Self.readerCheckInterval, Self.readerCheckInterval)
                guard let event = try await wait(session, vendor, limit) else { continue }
                count += 1
                console.json(
                    JSONLine("indication", event.mapValues(JSONValue.init)).adding([
                        "device": .text(session.address.description), "time": .text(wall.text(time.now)),
                    ]))
            }
        } catch { guard Task.isCancelled else { throw error } }
        console.event(
            JSONLine("followed").adding([
                "device": .text(session.address.description), "indications": .integer(count),
            ]))
        return Task.isCancelled ? .interrupted : .done
    }

    /// How often to check whether the output still has a reader.
    private static let readerCheckInterval = Duration.seconds(5)

    @discardableResult private func wait<Vendor: RecordsVendor>(
        _ session: BeaconSession<Vendor.Session>, _ vendor: Vendor, _ limit: Duration?
    ) async throws -> [String: Fact]? {
        try await session.perform { vendor.wait(forEventOf: $0, within: limit) }
    }
}
