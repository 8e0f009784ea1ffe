package import UpdateModel

package struct AttemptRecord: Hashable, Codable, Sendable {
    /// A phase of an update; `name` is as in `flash --json`.
    package struct Phase: Hashable, Codable, Sendable {
        package var name: String
        /// When the phase began, in seconds after the start of the attempt.
        package var at: Double

        package init(_ name: String, at: Double) { (self.name, self.at) = (name, at) }
    }

    package struct Speed: Hashable, Codable, Sendable {
        /// When the speed was measured, in seconds after the start of the attempt.
        package var at: Double
        /// The average since the previous entry, or since sending began, in bytes per second: together the entries
        /// cover all bytes.
        package var bytesPerSecond: Double

        package init(at: Double, bytesPerSecond: Double) {
            (self.at, self.bytesPerSecond) = (at, bytesPerSecond)
        }
    }

    package struct Warning: Hashable, Codable, Sendable {
        package var code, message: String

        package init(_ code: FailureCode, _ message: String) {
            (self.code, self.message) = (code.rawValue, message)
        }
    }

    /// What was sent, or was sent so far if the attempt did not end normally.
    package struct Transfer: Hashable, Codable, Sendable {
        /// The number of firmware bytes.
        package var bytes: Int
        /// The time from the first firmware byte to the last reply.
        package var seconds: Double
        /// The average rate, in bytes per second.
        package var average: Double
        package var retries: Int
        /// What limited the speed: `air`, `flash`, `answers` or `retries`; nil if the transfer did not end normally.
        package var limitedBy: String?

        package init(bytes: Int, seconds: Double, average: Double, retries: Int, limitedBy: String?) {
            (self.bytes, self.seconds, self.average, self.retries) = (bytes, seconds, average, retries)
            self.limitedBy = limitedBy
        }
    }

    /// Counts the unit's attempts in all sessions of a run, from 1.
    package var number: Int
    /// The session of the run, from 1; the second is the first `--resume`.
    package var session: Int
    /// The adapter, for example `hci0`.
    package var adapter: String
    package var began: RecordedTime
    /// The attempt's duration; nil while it runs, and if it was cut off.
    package var seconds: Double?
    /// The address at which the unit was found, with its kind after a slash.
    package var address: String
    package var firmware: FirmwareRecord?
    package var versionBefore: String?
    /// The characteristic that `versionBefore` was read from; nil for a version from elsewhere, and in records of earlier
    /// versions.
    package var versionSource: String?
    /// The version that the unit itself reported after the update; nil if it was not read, or the unit reports none.
    package var versionAfter: String?
    /// How the result was verified: `version`, `reappeared` or `no`; nil if there is no result.
    package var verified: String?
    package var phases: [Phase] = []
    /// The speeds during the transfer, one for each second and one at the end.
    package var speeds: [Speed] = []
    package var warnings: [Warning] = []
    package var transfer: Transfer?
    /// How often firmware was sent from its first byte; with several parts, how often the most frequent part was. Nil
    /// in records of earlier versions.
    package var timesSent: Int?
    /// Offsets of the parts' first bytes, in bytes of the update: an entry for each time that a part was sent from
    /// there. Nil if only the first part was.
    package var sentFrom: [Int]?
    /// How the attempt ended; nil while it runs, and if it was cut off.
    package var verdict: UnitVerdict?

    package init(
        number: Int, session: Int, adapter: String, began: RecordedTime, address: String,
        firmware: FirmwareRecord? = nil, versionBefore: String? = nil
    ) {
        (self.number, self.session, self.adapter, self.began) = (number, session, adapter, began)
        (self.address, self.firmware, self.versionBefore) = (address, firmware, versionBefore)
    }
}

package struct FirmwareRecord: Hashable, Codable, Sendable {
    package var path: String
    /// The file's SHA-256 in lower-case hexadecimal.
    package var sha256: String
    /// The kind of firmware, as `inspect` names it.
    package var kind: String
    /// The number of bytes to send, all parts together.
    package var bytes: Int
    package var version: String?

    package init(path: String, sha256: String, kind: String, bytes: Int, version: String?) {
        (self.path, self.sha256, self.kind, self.bytes, self.version) = (path, sha256, kind, bytes, version)
    }
}

extension Sequence<AttemptRecord> {
    /// How often firmware was sent from its first byte, in all these attempts; with several parts, how often the most
    /// frequent part was.
    package var timesSent: Int {
        var times: [Int: Int] = [:]
        for attempt in self {
            for first in attempt.sentFrom ?? [] { times[first, default: 0] += 1 }
            // A record from a file may hold any number: the sum must not overflow.
            if attempt.sentFrom == nil { times[0, default: 0] += Swift.min(attempt.timesSent ?? 0, 1 << 32) }
        }
        return times.values.max() ?? 0
    }
}
