import ArgumentParser
import CommandKit
import FoundationEssentials
import Tray

/// A day or a moment on the command line, in UTC: `2026-01-31` or `2026-01-31T12:00:00Z`.
struct HistoryMoment: ExplainedArgument, Hashable, Sendable {
    /// When it begins.
    let begin: RecordedTime
    /// When it ends: the start of the next day, or the moment itself.
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
