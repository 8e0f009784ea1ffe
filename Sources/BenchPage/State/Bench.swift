import Bytes
package import Tray
import UpdateModel

/// A bench as the page shows it: its identity, its run, and the run's progress.
package struct Bench: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        package var id: String
        /// From 1; the second is the first `--resume`.
        package var session = 1
        package var tray: String?
        package var order: String?
        package var operatorName: String?
        package var expected: Int?
        /// The file that is sent, and its version.
        package var firmware: String?
        package var isSimulated = false
        package var began: RecordedTime?
        package var ended: RecordedTime?
        /// What limited the run's speed most.
        package var limitedBy: String?

        package init(id: String) { self.id = id }

        var json: JSONValue {
            .members([
                "id": .text(id), "session": .integer(session), "tray": .optional(tray),
                "order": .optional(order), "operator": .optional(operatorName),
                "expected": .optional(expected), "firmware": .optional(firmware),
                "simulated": .bool(isSimulated), "began": began?.json, "ended": ended?.json,
                "limited_by": .optional(limitedBy),
            ])
        }
    }

    package typealias Adapter = RunState.Adapter

    /// The reason why no further unit starts at present.
    package typealias Hold = TrayRecord.Hold

    /// Results that are not delivered yet.
    package struct Outbox: Hashable, Sendable {
        package var waiting: Int
        /// Since when the oldest of them waits.
        package var since: RecordedTime?
        /// The number of results that were permanently refused and set aside.
        package var refused = 0

        package init(waiting: Int, since: RecordedTime? = nil, refused: Int = 0) {
            (self.waiting, self.since, self.refused) = (waiting, since, refused)
        }

        var json: JSONValue {
            .members(["waiting": .integer(waiting), "since": since?.json, "refused": .integer(refused)])
        }
    }

    package struct Catalogue: Hashable, Sendable {
        package var version: String
        package var fetched: RecordedTime?

        package init(version: String, fetched: RecordedTime? = nil) {
            (self.version, self.fetched) = (version, fetched)
        }

        var json: JSONValue { .members(["version": .text(version), "fetched": fetched?.json]) }
    }

    /// Since when and why the bench does not report, so that the state shown may be old.
    package struct Silence: Hashable, Sendable {
        package var since: RecordedTime
        package var reason: String

        package init(since: RecordedTime, reason: String) { (self.since, self.reason) = (since, reason) }

        var json: JSONValue { .members(["since": since.json, "reason": .text(reason)]) }
    }

    package var id: String
    package var name: String
    /// Its run; nil if there never was one.
    package var run: Run?
    /// In the tray's order.
    package var units: [PageUnit] = []
    /// In the order of the command line.
    package var adapters: [Adapter] = []
    /// The slots whose labels are being scanned, before the run begins; nil at any other time.
    package var scan: SlotScan?
    package var hold: Hold?
    /// Whether `hold` and `release` apply to the order, and so to all its benches, instead of only this bench.
    package var isHeldWithOrder = false
    /// Waiting results; nil if the bench delivers none.
    package var outbox: Outbox?
    package var catalogue: Catalogue?
    /// When the last unit will be done, as estimated by the run.
    package var ends: RecordedTime?
    /// The rate at which all units together receive firmware, as reported by the run; nil if it reports none.
    package var bytesPerSecond: Double?
    /// The speed of all units together over the time of its run.
    package var speeds = SpeedTimeline()
    /// Whether a user has ended the run: units at work are finished, no further unit starts.
    package var isEnding = false
    /// Whether the run is over; on a work server, whether the order is.
    package var isPast = false
    /// The possible actions, for users with the required role.
    package var actions: Set<BenchAction.Kind> = []
    package var silence: Silence?
    /// When an idle station, without claims and waiting results, last reported; nil for any other bench.
    package var idle: RecordedTime?

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

extension TrayRecord.Hold {
    package var since: RecordedTime { began }

    /// Whether the hold ends by itself and cannot be released at the bench: the order is held, or a claim is missing.
    package var isFromOutside: Bool { !HoldReason.codesReleasedAtBench.contains(code) }

    package init(code: String, message: String, since: RecordedTime) {
        self.init(began: since, code: FailureCode(named: code), message: message)
    }
}
