import Bytes
package import Tray

/// The speed of all units together over the time of a run, in equal intervals that get longer with the run.
package struct SpeedTimeline: Hashable, Sendable {
    /// The most intervals.
    package static let most = 240
    /// A reported speed counts for the time since the report before it, but for at most this number of seconds, because
    /// no reports come while nothing happens.
    private static let longest = 3.0

    /// The length of an interval in whole seconds.
    package private(set) var step: Int
    /// The bytes sent in each interval.
    private var bytes: [Double]
    private var began: RecordedTime?
    /// Seconds from the start to the latest report.
    private var last = 0.0

    package init() { (step, bytes) = (1, []) }

    package init(_ record: TrayRecord) {
        let timeline = RunTimeline(record)
        step = max(1, Int(timeline.step))
        bytes = timeline.speeds.map { $0 * timeline.step }
    }

    /// Bytes per second in each interval that is over.
    package var speeds: [Double] {
        let over = began == nil ? bytes.count : min(bytes.count, Int(last) / step)
        return bytes.prefix(over).map { $0 / Double(step) }
    }

    /// Notes the speed that the run reports at `moment` for the second before it.
    package mutating func note(_ bytesPerSecond: Double, at moment: RecordedTime) {
        guard let began else {
            (began, last) = (moment, 0)
            return
        }
        let now = min(moment.seconds(since: began), 1e9)
        guard now > last, bytesPerSecond.isFinite else { return }
        while Int(now) / step >= Self.most { lengthen() }
        bytes += Array(repeating: 0, count: max(0, Int(now) / step + 1 - bytes.count))
        var from = max(last, now - Self.longest)
        while from < now {
            let index = Int(from) / step
            let to = min(now, Double((index + 1) * step))
            bytes[index] += max(0, bytesPerSecond) * (to - from)
            from = to
        }
        last = now
    }

    private mutating func lengthen() {
        step *= 2
        bytes = stride(from: 0, to: bytes.count, by: 2).map {
            bytes[$0] + ($0 + 1 < bytes.count ? bytes[$0 + 1] : 0)
        }
    }

    /// Speeds by the index of their interval, so that a patch contains only new ones; nil if there are none.
    var json: JSONValue? {
        let speeds = speeds
        guard speeds.contains(where: { $0 > 0 }) else { return nil }
        let members = speeds.enumerated().map { ("\($0)", JSONValue.integer(Int(min($1, 1e12)))) }
        return .members(["step": .integer(step), "speeds": .keyed(members)])
    }
}
