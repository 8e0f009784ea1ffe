package import Bytes
import FoundationEssentials
import Tray

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
    private let origin: Date

    /// Maps `moment` to the current date.
    package init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The current time, in seconds since 1970 in UTC.
    package static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    package func text(_ moment: Duration) -> String {
        (origin + moment / .seconds(1)).formatted(RecordedTime.style)
    }
}
