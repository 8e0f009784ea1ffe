package import ArgumentParser
import Bluetooth
package import CommandKit
package import KKM
import UpdateEngine
package import UpdateModel

package struct HistoryRead: RunningCommand {
    package static let configuration = CommandConfiguration(
        commandName: "history-read",
        abstract: "Read the records of one beacon, or follow its trigger indications.",
        discussion: """
            Example: `beacon-dfu history-read --device BC:57:29:02:45:9F --out records.csv`.

            KBeacons send records and trigger indications in a session, with their password in --secrets or the factory password. \
            All records are read, the oldest first, unless --newest-first, --from or --count select others. The beacon keeps its \
            records and its count of unread ones. Times are given as recorded, and in UTC if that can be determined.
            """)

    @OptionGroup package var session: SessionOptions
    @Option(
        help: ArgumentHelp(
            "Write the records to this file, as a spreadsheet (CSV); - is stdout.", valueName: "path"),
        completion: .file(extensions: ["csv"]))
    var out: String?
    @Option(
        help: ArgumentHelp(
            "The kind of records: humidity (with temperature), alarm, pir, light, voc or co2.",
            valueName: "kind"
        ),
        transform: KBeaconRecordKind.reading)
    package var kind = KBeaconRecordKind.humidity
    @Flag(help: "Start with the newest record and go back. Default: start with the oldest.")
    var newestFirst = false
    @Option(
        help: ArgumentHelp("Start with this record; the oldest one is 1.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    package var from: WholeNumber<UInt32>?
    @Option(
        help: ArgumentHelp("The most records to read.", valueName: "records"),
        transform: WholeNumber<UInt32>.reading)
    package var count: WholeNumber<UInt32>?
    @Flag(help: "Print indications when the beacon's triggers fire, one JSON object a line, until Ctrl-C.")
    package var follow = false
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to follow, up to 86400.", valueName: "seconds"))
    package var length: Double?
    @OptionGroup package var common: CommonOptions

    package var inputs: [String?] { session.inputs }

    package var kernelAdapters: Int { session.kernelAdapters }

    package func validate() throws {
        guard (out != nil) != follow else {
            throw ValidationError("give either --out to read records, or --follow")
        }
        guard out != RecordRows.standardOutput || !common.json else {
            throw ValidationError("give --json or --out -, not both: each uses stdout")
        }
        guard !follow || !newestFirst && from == nil && count == nil else {
            throw ValidationError("--newest-first, --from and --count require --out")
        }
        guard from?.value != 0, count?.value != 0 else {
            throw ValidationError("--from and --count are numbers from 1")
        }
        guard length == nil || follow else { throw ValidationError("--for requires --follow") }
        guard length.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--for is a number of seconds, above 0 and at most 86400")
        }
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        let capture = session.radio.capture
        if let out { try RecordRows.check(out, under: rule.keeping([capture])) }
        return try await session.withBeacon(console, log: log, under: rule.keeping([out])) { found in
            let time = found.adapter.time
            return try await found.withKBeacon(for: "to read its records") { session in
                guard let out else { return try await follow(session, time, console) }
                return try await read(session, time, to: out, under: rule.keeping([capture]), console)
            }
        }
    }

    package init() {}
}
