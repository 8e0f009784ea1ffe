package import ArgumentParser
import FoundationEssentials
import UpdateModel

/// A time on the command line: seconds since 1970, or ISO 8601 in UTC such as `2026-01-31T12:00:00Z`.
package struct BuildTime: ExpressibleByArgument, Hashable, Sendable {
    /// Seconds since 1970 in UTC.
    package let seconds: UInt32

    init(seconds: UInt32) { self.seconds = seconds }

    package init?(argument: String) {
        if argument.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let seconds = UInt32(argument) else { return nil }
            self.seconds = seconds
            return
        }
        guard let date = try? Date(argument, strategy: .iso8601),
            let seconds = UInt32(exactly: date.timeIntervalSince1970),
            // The parser moves nonexistent days, such as 31 April, into the next month; such a date is refused.
            UnixTime.text(seconds) == argument
        else { return nil }
        self.seconds = seconds
    }

    /// The name of the variable that reproducible builds set (reproducible-builds.org/specs/source-date-epoch).
    package static let variable = "SOURCE_DATE_EPOCH"

    /// The time in ``variable`` in `environment`, or 0. Never the current time, so that the same input gives the same
    /// bytes.
    package static func reproducible(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ValidationError) -> BuildTime {
        guard let text = environment[variable] else { return BuildTime(seconds: 0) }
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let seconds = UInt32(text)
        else { throw ValidationError("\(variable) is not a number of seconds from 0 to \(UInt32.max)") }
        return BuildTime(seconds: seconds)
    }
}
