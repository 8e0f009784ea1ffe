import Bytes
import FoundationEssentials
package import Tray

/// A JSON value, for output whose members are known only at run time.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// A number with at most three decimals, which suffice for milliseconds and bytes.
    package static func rounded(_ value: Double) -> JSONValue {
        value.isFinite ? .number((value * 1000).rounded() / 1000) : .null
    }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }
    package static func optional(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
    package static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer(Int($0)) } ?? .null
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(var members):
            // File names are shown with escapes for bytes that are not UTF-8; text from beacons is not changed.
            for key in ["file", "message"] {
                if case .text(let value) = members[key] { members[key] = .text(PathText.shown(value)) }
            }
            try container.encode(members)
        }
    }
}

/// One line of `--json` output: an event with its members, keys sorted, and the schema's version.
package struct JSONLine: Equatable, Sendable {
    package let event: String
    package var members: [String: JSONValue]

    package init(_ event: String, _ members: [String: JSONValue] = [:]) {
        self.event = event
        self.members = members
    }

    /// The slot of the unit that the event is about, if it is about one of several.
    package var slot: String? { if case .text(let slot) = members["slot"] { slot } else { nil } }

    /// The line with more members.
    package func adding(_ more: [String: JSONValue]) -> JSONLine {
        JSONLine(event, members.merging(more) { $1 })
    }

    package var text: String {
        var all = members
        all["event"] = .text(event)
        all["schema"] = .integer(1)
        // JSON cannot hold a name that is not UTF-8: `file` is then for people, and `file_hex` has the bytes.
        if case .text(let file) = members["file"], PathText.hasForeignBytes(file) {
            all["file_hex"] = .text(HexText.encode(PathText.bytes(of: file)))
        }
        return VisibleText.json(JSONValue.object(all))
    }
}

/// Sizes, speeds and times for people.
package enum Quantities {
    package static func bytes(_ count: Int) -> String {
        count < 1000 ? "\(count) B" : "\(decimal(Double(count) / 1000)) kB"
    }

    /// An amount of disk space.
    package static func room(_ bytes: Int) -> String {
        bytes < 1_000_000_000
            ? "\(decimal(Double(bytes) / 1_000_000)) MB" : "\(decimal(Double(bytes) / 1_000_000_000)) GB"
    }

    /// `count` of `total` bytes; the unit only once if both have the same.
    package static func part(_ count: Int, of total: Int) -> String {
        count >= 1000 && total >= 1000
            ? "\(decimal(Double(count) / 1000)) of \(bytes(total))" : "\(bytes(count)) of \(bytes(total))"
    }

    package static func speed(_ bytesPerSecond: Double) -> String {
        bytesPerSecond < 1000
            ? "\(Int(bytesPerSecond)) B/s" : "\(decimal(bytesPerSecond / 1000)) kB/s"
    }

    package static func seconds(_ seconds: Double) -> String { "\(decimal(seconds)) s" }

    /// Minutes and seconds, `m:ss`.
    package static func countdown(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 359_999))
        let tail = whole % 60
        return "\(whole / 60):\(tail < 10 ? "0" : "")\(tail)"
    }

    /// One digit after the point.
    package static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// Quotes text for a POSIX shell.
package enum ShellWord {
    /// `text` unchanged if the shell needs no quotes, else in single quotes.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+=:@%,".utf8.contains(byte)
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}

/// Converts the times of a timekeeper to dates.
package struct WallTime: Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private let origin: Date

    /// Maps `moment` to the current date.
    package init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The current time, in seconds since 1970 in UTC.
    package static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    package func text(_ moment: Duration) -> String {
        (origin + moment / .seconds(1)).formatted(Self.style)
    }
}

extension RecordedTime {
    /// ISO 8601 in UTC, cut to seconds.
    package var toSeconds: String { "\(description.prefix(19))Z" }
}
