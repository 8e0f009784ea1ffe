import Bytes
import UpdateModel

/// A unit's attempts as a bar: the phases side by side, in proportion to their duration.
enum UnitTimeline {
    /// The width of a picture, in units of its view box.
    private static let width = 1000.0
    /// The space between two attempts, in the same units.
    private static let gap = 12.0

    /// The seconds that fit in each bar of `record`: enough for most units. The bars of much longer ones are cut off.
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
