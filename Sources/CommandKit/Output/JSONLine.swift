package import Bytes
import FoundationEssentials
package import Tray

extension JSONValue {
    /// The value with escapes for the bytes of file names that are not UTF-8; text from beacons is not changed.
    fileprivate var withShownPaths: JSONValue {
        switch self {
        case .list(let values): return .list(values.map(\.withShownPaths))
        case .object(let members):
            var members = members.mapValues(\.withShownPaths)
            for key in ["file", "message"] {
                if let path = members[key]?.text { members[key] = .text(PathText.shown(path)) }
            }
            return .object(members)
        case .null, .bool, .number, .text: return self
        }
    }
}

/// One line of `--json` output: an event with its members, keys sorted, and the schema's version.
package struct JSONLine: Equatable, Sendable {
    package let event: String
    package var members: [String: JSONValue]

    package init(_ event: String, _ members: [String: JSONValue] = [:]) {
        (self.event, self.members) = (event, members)
    }

    /// The slot of the unit that the event is about, if it is about one of several.
    package var slot: String? { if case .text(let slot) = members["slot"] { slot } else { nil } }

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
        return JSONValue.object(all).withShownPaths.line
    }
}

/// Sizes, speeds and times for people.
package enum Quantities {
    package static func bytes(_ count: Int) -> String {
        count < 1000 ? "\(count) B" : "\(decimal(Double(count) / 1000)) kB"
    }

    /// The number of things called `word`, which takes an s for more than one.
    package static func count(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    /// An amount of disk space, in MB or GB.
    package static func room(_ bytes: Int) -> String {
        bytes < 1_000_000_000
            ? "\(decimal(Double(bytes) / 1_000_000)) MB" : "\(decimal(Double(bytes) / 1_000_000_000)) GB"
    }

    /// `count` of `total` bytes, such as `1.2 of 3.4 kB`: a unit that both have is written once.
    package static func part(_ count: Int, of total: Int) -> String {
        count >= 1000 && total >= 1000
            ? "\(decimal(Double(count) / 1000)) of \(bytes(total))" : "\(bytes(count)) of \(bytes(total))"
    }

    package static func speed(_ bytesPerSecond: Double) -> String {
        bytesPerSecond < 1000
            ? "\(Int(bytesPerSecond)) B/s" : "\(decimal(bytesPerSecond / 1000)) kB/s"
    }

    package static func seconds(_ seconds: Double) -> String { "\(decimal(seconds)) s" }

    /// Minutes and seconds, `m:ss`, rounded up. The limit, 1 s less than 100 hours, also makes an infinite estimate
    /// convertible to an integer.
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
    /// ISO 8601 in UTC, with milliseconds.
    static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private let origin: Date

    /// Maps `moment` to the current date.
    package init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The current time, in seconds since 1970 in UTC.
    package static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    package func text(_ moment: Duration) -> String { (origin + moment / .seconds(1)).formatted(Self.style) }
}

extension RecordedTime {
    /// ISO 8601 in UTC, cut to seconds.
    package var toSeconds: String { "\(description.prefix(19))Z" }
}
