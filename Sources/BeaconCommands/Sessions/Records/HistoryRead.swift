import ArgumentParser
import BeaconSessions
import KBeacon
import Radio
import Timing

struct HistoryRead: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "history-read",
        abstract: "Read what one beacon has recorded, or follow what it tells.",
        discussion: """
            Example: `beacon-dfu history-read --device BC:57:29:02:45:9F --out records.csv`.

            KBeacons keep records, and tell of their triggers, in a session: by their password in --secrets, or the one of the \
            factory. All records are read, from the oldest on; --newest-first, --from and --count choose. They stay as they are, \
            and so does what counts as read. A time is as it was recorded, and in UTC where that can be known.
            """)

    @OptionGroup var session: SessionOptions
    @Option(
        help: ArgumentHelp(
            "Write the records to this file, as a spreadsheet (CSV); - is stdout.", valueName: "path"),
        completion: .file(extensions: ["csv"]))
    var out: String?
    @Option(
        help: ArgumentHelp(
            "The records of what: humidity (and temperature), alarm, pir, light, voc, co2.", valueName: "kind"
        ),
        transform: KBeaconRecordKind.reading)
    var kind = KBeaconRecordKind.humidity
    @Flag(help: "Begin with the newest record and go back; otherwise with the oldest.")
    var newestFirst = false
    @Option(
        help: ArgumentHelp("Begin with this record: the oldest one is 1.", valueName: "number"),
        transform: WholeNumber<UInt32>.reading)
    var from: WholeNumber<UInt32>?
    @Option(
        help: ArgumentHelp("Read so many records at most.", valueName: "records"),
        transform: WholeNumber<UInt32>.reading)
    var count: WholeNumber<UInt32>?
    @Flag(help: "Print what the beacon tells when its triggers go off, one JSON object a line, until Ctrl-C.")
    var follow = false
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to follow, up to 86400.", valueName: "seconds"))
    var length: Double?
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs }

    var kernelAdapters: Int { session.kernelAdapters }

    func validate() throws {
        guard (out != nil) != follow else {
            throw ValidationError("choose --out, which reads records, or --follow")
        }
        guard out != RecordRows.standardOutput || !common.json else {
            throw ValidationError("--json has stdout for itself: choose it, or --out -")
        }
        guard !follow || !newestFirst && from == nil && count == nil else {
            throw ValidationError("--newest-first, --from and --count are about --out")
        }
        guard from?.value != 0, count?.value != 0 else {
            throw ValidationError("--from and --count are numbers from 1 on")
        }
        guard length == nil || follow else { throw ValidationError("--for is about --follow") }
        guard length.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
            throw ValidationError("--for is a number of seconds, from above 0 to 86400")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
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
}
