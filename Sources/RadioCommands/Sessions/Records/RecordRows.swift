import ArgumentParser
package import Bluetooth
import Bytes
package import CommandKit
import KKM
import UpdateModel

/// Writes rows of records to stdout, or to a file that appears only once it is complete.
final class RecordRows {
    /// The path that stands for stdout.
    static let standardOutput = "-"
    /// How to recognise an earlier file, which may be overwritten.
    private static let kind = OutputKind.made(
        "table of a beacon's records (CSV)",
        beginnings: KBeaconRecordKind.allCases.map { Array(SpreadsheetText($0.columns).line.utf8) })

    private let console: Console
    private let clock: KBeaconRecordClock
    private var file: GrowingFile?

    /// Throws if rows could not be written to `path` now, before the long reading of them.
    static func check(_ path: String, under rule: OutputRule) throws(CommandFailure) {
        if path != standardOutput { try OutputFile.check(path, as: kind, under: rule) }
    }

    /// Writes the names of the columns; `clock` converts the recorded times.
    init(
        of kind: KBeaconRecordKind, by clock: KBeaconRecordClock, to path: String, under rule: OutputRule,
        _ console: Console
    ) throws(CommandFailure) {
        (self.console, self.clock) = (console, clock)
        file =
            path == Self.standardOutput ? nil : try GrowingFile(path, as: Self.kind, under: rule)
        try write([SpreadsheetText(kind.columns)])
    }

    /// Writes one row for each record, with its number.
    func write(_ records: [(number: Int, record: KBeaconRecord)]) throws(CommandFailure) {
        try write(
            records.map { number, record in
                let time = clock.wallTime(of: record.time).map(UnixTime.text)
                return SpreadsheetText(["\(number)", "\(record.time)", time] + record.content.cells)
            })
    }

    /// Completes the file.
    func finish() throws(CommandFailure) { try file.take()?.finish() }

    private func write(_ rows: [SpreadsheetText]) throws(CommandFailure) {
        guard file != nil else { return rows.forEach { console.result(TerminalText($0.line)) } }
        try file?.append(rows.flatMap { Array("\($0.line)\n".utf8) })
    }
}

extension KBeaconRecord.Content {
    fileprivate var cells: [String] {
        switch self {
        case .climate(let temperature, let humidity): [temperature, humidity].map(Self.thousandths)
        case .state(let state): ["\(state)"]
        case .light(let type, let lux): ["\(type)", "\(lux)"]
        case .air(let voc, let nox): ["\(voc)", "\(nox)"]
        case .carbonDioxide(let ppm, let temperature, let humidity):
            ["\(ppm)"] + [temperature, humidity].map(Self.thousandths)
        }
    }

    /// At most three digits after the point, as the beacon counts in 256ths.
    private static func thousandths(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

/// Reports the progress of reading records: on a terminal as a line that is redrawn, on a pipe as a line
/// every few seconds, and as events.
struct RecordProgress {
    /// The delay before the first report and between reports; `pipePause` is the latter on a pipe.
    private static let pause = Duration.seconds(1)
    private static let pipePause = Duration.seconds(5)

    private let console: Console
    private let total: Int
    private let began: Duration
    private var told: Duration

    init(through total: Int, from moment: Duration, _ console: Console) {
        (self.total, self.console, began, told) = (total, console, moment, moment)
    }

    /// Reports that `count` records were read by `moment`, if a report is due.
    mutating func tell(_ count: Int, at moment: Duration) {
        let isPipe = !console.style.isJSON && !console.style.isTerminal
        guard moment - told >= (isPipe && told > began ? Self.pipePause : Self.pause) else { return }
        told = moment
        let speed = Double(count) / ((moment - began) / .seconds(1))
        let left = speed > 0 ? Double(max(0, total - count)) / speed : nil
        console.event(
            JSONLine(
                "progress",
                [
                    "records": .integer(count), "total": .integer(total),
                    "records_per_second": .rounded(speed),
                    "seconds_left": left.map(JSONValue.rounded) ?? .null,
                ]))
        guard !console.style.isJSON else { return }
        let rest = left.map { ", \(Quantities.countdown($0)) left" } ?? ""
        let line = TerminalText("\(count) of \(total) records, \(Quantities.decimal(speed))/s\(rest)")
        if console.style.isTerminal { console.draw(bar: line) } else { console.talk(line) }
    }

    /// Clears the line.
    func end() { console.draw(lines: []) }
}

extension KBeaconEvent {
    /// The JSON event for an indication from `device` at the time `moment`.
    package func line(of device: DeviceAddress, at moment: String) -> JSONLine {
        var members: [String: JSONValue] = [
            "device": .text(device.description), "time": .text(moment), "type": .integer(Int(type)),
            "kind": .optional(name), "click": .optional(click), "bytes": .text(HexText.encode(bytes)),
        ]
        if let reading, case .climate(let temperature, let humidity) = reading.content {
            members["time_raw"] = .integer(Int(reading.time))
            members["temperature_celsius"] = .rounded(temperature)
            members["humidity_percent"] = .rounded(humidity)
        }
        return JSONLine("indication", members)
    }
}

extension KBeaconRecordKind: ExplainedArgument {
    package init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    package static func flaw(in text: String) -> String {
        "kinds of records are \(allCases.map(\.name).joined(separator: ", "))"
    }

    /// The name on the command line.
    package var name: String {
        switch self {
        case .humidity: "humidity"
        case .alarm: "alarm"
        case .pir: "pir"
        case .light: "light"
        case .voc: "voc"
        case .carbonDioxide: "co2"
        }
    }

    /// The names of the columns of its records.
    package var columns: [String] {
        let climate = ["temperature_celsius", "humidity_percent"]
        let own =
            switch self {
            case .humidity: climate
            case .alarm, .pir: ["state"]
            case .light: ["type", "lux"]
            case .voc: ["voc_index", "nox_index"]
            case .carbonDioxide: ["co2_ppm"] + climate
            }
        return ["record", "time_raw", "time"] + own
    }
}
