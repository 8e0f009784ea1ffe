import Bytes
import UpdateModel

/// A unit's attempts as a bar: the phases side by side, in proportion to their duration.
enum Timeline {
    /// The width of a picture, in units of its view box.
    private static let width = 1000.0
    /// The space between two attempts, in the same units.
    private static let gap = 12.0

    /// The seconds that fit in each bar of `record`: enough for most units; the bars of far longer ones are cut off.
    static func scale(of record: TrayRecord) -> Double {
        let times = record.units.map { $0.attempts.reduce(0) { $0 + $1.knownSeconds } }.filter { $0 > 0 }
            .sorted()
        guard let longest = times.last else { return 1 }
        return min(longest * 1.03, max(1, times[times.count / 2] * 4))
    }

    static var legend: HTML {
        .element(
            "p", [.class("legend")],
            phases.map { name, key in
                let square = HTML.single(
                    "rect", [.init("class", key), .init("width", "10"), .init("height", "10")])
                let attributes: [HTML.Attribute] = [
                    .init("viewBox", "0 0 10 10"), .init("aria-hidden", "true"),
                ]
                return .element("svg", attributes, [square]) + HTML(" \(name) ")
            })
    }

    private static let phases = [
        ("connecting", "pc"), ("entering-bootloader", "pe"), ("preparing", "pp"), ("transferring", "pt"),
        ("activating", "pa"), ("rebooting", "pr"), ("verifying", "pv"),
    ]

    private static func key(_ phase: String) -> String { phases.first { $0.0 == phase }?.1 ?? "px" }

    /// The bar of `unit`, with a total width of `scale` seconds.
    static func picture(of unit: UnitRecord, scale: Double) -> HTML {
        guard !unit.attempts.isEmpty else { return .none }
        func place(_ left: Double, _ seconds: Double) -> Double {
            left + min(max(0, seconds), 1e6) / scale * width
        }
        let label = unit.attempts.map { "\(Figures.decimal($0.knownSeconds)) s" }.joined(separator: ", then ")
        var left = 0.0
        var shapes: [HTML] = []
        for attempt in unit.attempts {
            let phases = attempt.phases.isEmpty ? [.init("waiting", at: 0)] : attempt.phases
            for (index, phase) in phases.enumerated() {
                let end = index + 1 < phases.count ? phases[index + 1].at : attempt.knownSeconds
                let (from, to) = (place(left, phase.at), place(left, end))
                if to > from { shapes.append(rect(key(phase.name), from, to)) }
            }
            left = place(left, attempt.knownSeconds) + 2
            if attempt.verdict?.outcome.isGood != true { shapes.append(rect("pz", left - 2, left + 4)) }
            left += gap
        }
        return .picture("time", "0 0 1000 10", label, shapes)
    }

    private static func rect(_ name: String, _ from: Double, _ to: Double) -> HTML {
        let left = Figures.whole(from)
        return .rect(name, left, max(1, Figures.whole(to) - left), 10)
    }
}

/// The timeline of a run in equal intervals: total speed, and the number of units at work.
package struct RunTimeline: Sendable {
    private static let mostPieces = 240
    /// The length of an interval in seconds, at least 1.
    package let step: Double
    /// Bytes per second of all units together, for each interval.
    package private(set) var speeds: [Double]
    /// The average number of units at work, for each interval.
    private(set) var units: [Double]

    package init(_ record: TrayRecord) { self.init(record, RunClock(record)) }

    init(_ record: TrayRecord, _ clock: RunClock) {
        let total = max(1, min(clock.total, 1e9))
        step = max(1, (total / Double(Self.mostPieces)).rounded(.up))
        let count = Int((total / step).rounded(.up))
        (speeds, units) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let begin = clock.seconds(attempt.began, session: attempt.session)
            for part in attempt.accepted {
                let bytes = part.bytes / max(part.to - part.from, 1e-9)
                spread(bytes, begin + part.from, begin + part.to, over: \.speeds)
            }
            spread(1, begin, begin + attempt.knownSeconds, over: \.units)
        }
    }

    private mutating func spread(
        _ value: Double, _ begin: Double, _ end: Double, over pieces: WritableKeyPath<RunTimeline, [Double]>
    ) {
        guard value.isFinite else { return }
        for index in piece(begin)...max(piece(begin), piece(end)) {
            let (from, to) = (Double(index) * step, Double(index + 1) * step)
            self[keyPath: pieces][index] += value * max(0, min(end, to) - max(begin, from)) / step
        }
    }

    private func piece(_ seconds: Double) -> Int {
        guard seconds.isFinite else { return 0 }
        return Int(min(max(0, seconds / step), Double(speeds.count - 1)))
    }
}

extension AttemptRecord {
    /// The firmware bytes that were accepted in each interval (`from`, `to`: seconds after the start of the attempt),
    /// by the recorded speeds; scaled to the total sent if that is known.
    fileprivate var accepted: [(from: Double, to: Double, bytes: Double)] {
        var last = phases.last { $0.name == "transferring" && $0.at <= (speeds.first?.at ?? 0) }?.at
        var parts: [(from: Double, to: Double, bytes: Double)] = []
        for speed in speeds where speed.bytesPerSecond.isFinite && speed.at.isFinite {
            let from = min(last ?? speed.at - 1, speed.at)
            parts.append((from, speed.at, max(0, speed.bytesPerSecond) * (speed.at - from)))
            last = speed.at
        }
        let noted = parts.reduce(0) { $0 + $1.bytes }
        guard let transfer, noted > 0, transfer.bytes > 0 else { return parts }
        return parts.map { ($0.from, $0.to, $0.bytes * Double(transfer.bytes) / noted) }
    }
}

extension HTML {
    /// The element `name` with `content`, in these CSS classes.
    static func tag(_ name: StaticString, class names: StaticString? = nil, _ content: HTML...) -> HTML {
        .element(name, names.map { [.class($0)] } ?? [], content)
    }

    /// `text` in the font of code.
    static func code(_ text: String) -> HTML { .tag("code", HTML(text)) }

    /// A picture with the view box `box`, stretched to its place; without a `label` it is a decoration, which screen
    /// readers skip.
    static func picture(_ name: String, _ box: String, _ label: String?, _ shapes: [HTML]) -> HTML {
        let meaning = label.map { [Attribute("role", "img"), Attribute("aria-label", $0)] }
        let place: [Attribute] = [
            .init("class", name), .init("viewBox", box), .init("preserveAspectRatio", "none"),
        ]
        return .element("svg", place + (meaning ?? [.init("aria-hidden", "true")]), shapes)
    }

    static func rect(_ name: String, _ x: Int, _ width: Int, _ height: Int) -> HTML {
        let place: [Attribute] = [
            .init("x", "\(x)"), .init("width", "\(width)"), .init("height", "\(height)"),
        ]
        return .single("rect", [.init("class", name)] + place)
    }
}
