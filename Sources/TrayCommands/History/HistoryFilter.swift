import ArgumentParser
import Bytes
import CommandKit
import Firmware
import FoundationEssentials
import Glibc
import Tray
import TrayJournal
import UpdateModel

package struct HistoryFilter: ParsableArguments {
    @Option(
        "Only attempts at this beacon: an address, name:PATTERN, id:TEXT, or ibeacon:UUID/MAJOR/MINOR.",
        valueName: "selector")
    var device: DeviceSelector?
    @Option("The same as --device id:TEXT.", valueName: "text") var id: String?
    @Option(
        """
        Only attempts with this file: an existing file (by its content, under any name), the path or the name \
        that it had, or the first 8 or more digits of its SHA-256.
        """, valueName: "file", completion: .file())
    var file: String?
    @Option("Only attempts for this work order.", valueName: "number") var order: String?
    @Option("Only attempts at this bench.", valueName: "name") var station: String?
    @Option("Only attempts by this person.", name: .customLong("operator"), valueName: "name")
    var operatorName: String?
    @Option("Only attempts of this run: its id, the beginning of its id, or `latest`.", valueName: "id")
    var run: String?
    @Option("Only attempts that began at this moment or later (UTC).", valueName: "moment")
    var since: HistoryMoment?
    @Option(
        "Only attempts that began before this time, or on this day or earlier (UTC).", valueName: "moment")
    var until: HistoryMoment?
    @Option("Only attempts with this outcome; may be repeated.", valueName: "outcome")
    var outcome: [UnitOutcome] = []

    mutating func validate() throws {
        try require(
            device == nil || id == nil,
            "give --id or --device, not both: --id TEXT is short for --device id:TEXT")
        try require(id?.isEmpty != true, "--id needs the vendor's id of a beacon")
        if let since, let until, until.begin < since.begin, until.end <= since.begin {
            throw ValidationError("--until is before --since")
        }
    }

    /// The query of the journal. If the file of `--file` exists, it is read for its SHA-256.
    func query() throws(CommandFailure) -> HistoryQuery {
        var query = HistoryQuery()
        query.device = device ?? id.map { .id($0) }
        if let file { query.file = try Self.query(file) }
        (query.orderNumber, query.run) = (order, run)
        (query.station, query.operatorName) = (station, operatorName)
        (query.since, query.until, query.outcomes) = (since?.begin, until?.end, Set(outcome))
        return query
    }

    /// The fewest digits by which a SHA-256 may be given.
    private static let leastDigits = 8

    private static func query(_ file: String) throws(CommandFailure) -> HistoryQuery.File {
        if access(file.systemPath, F_OK) == 0 { return .sha256(try FileContent(path: file).sha256) }
        let isHash =
            (leastDigits...64).contains(file.utf8.count) && file.allSatisfy { $0.isASCII && $0.isHexDigit }
        return isHash ? .sha256(file) : .path(file)
    }
}

/// A day or a moment on the command line, in UTC: `2026-01-31` or `2026-01-31T12:00:00Z`.
struct HistoryMoment: ExplainedArgument, Hashable, Sendable {
    let begin: RecordedTime
    /// The start of the next day; for a moment, the moment itself.
    let end: RecordedTime

    private static let millisecondsADay: Int64 = 86_400_000
    private static let day = Date.ISO8601FormatStyle().year().month().day()

    init?(argument: String) {
        let isDay = !argument.contains("T")
        let style = isDay ? Self.day : .iso8601
        // The parser moves days that the month does not have into the next month; such a date is refused.
        guard let date = try? Date(argument, strategy: style), date.formatted(style) == argument else {
            return nil
        }
        begin = RecordedTime(date)
        end = isDay ? RecordedTime(milliseconds: begin.milliseconds + Self.millisecondsADay) : begin
    }

    static func flaw(in text: String) -> String {
        "a moment is a day or a time in UTC, for example 2026-01-31 or 2026-01-31T12:00:00Z"
    }
}
