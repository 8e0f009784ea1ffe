import Bytes

/// A unit's attempts as a bar: its phases side by side, in proportion to their duration.
struct Timeline: Sendable {
    /// The width of a picture, in its own units.
    private static let width = 1000.0
    /// Between two attempts.
    private static let gap = 12.0

    private let unit: UnitRecord
    private let scale: Double

    /// The bar of `unit`, with a total width of `scale` seconds.
    init(_ unit: UnitRecord, scale: Double) { (self.unit, self.scale) = (unit, scale) }

    /// The seconds that all bars of `record` show: most units completely; of those that took long, only the beginning.
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
                .all([
                    .element(
                        "svg", [.init("viewBox", "0 0 10 10"), .init("aria-hidden", "true")],
                        [.single("rect", [.init("class", key), .init("width", "10"), .init("height", "10")])]),
                    HTML(" \(name) "),
                ])
            })
    }

    private static let phases = [
        ("connecting", "pc"), ("entering-bootloader", "pe"), ("preparing", "pp"), ("transferring", "pt"),
        ("activating", "pa"), ("rebooting", "pr"), ("verifying", "pv"),
    ]

    private static func key(_ phase: String) -> String { phases.first { $0.0 == phase }?.1 ?? "px" }

    var picture: HTML {
        guard !unit.attempts.isEmpty else { return .none }
        var left = 0.0
        var shapes: [HTML] = []
        for attempt in unit.attempts {
            let phases = attempt.phases.isEmpty ? [.init("waiting", at: 0)] : attempt.phases
            for (index, phase) in phases.enumerated() {
                let end = index + 1 < phases.count ? phases[index + 1].at : attempt.knownSeconds
                let (from, to) = (place(left, phase.at), place(left, end))
                if to > from { shapes.append(Self.rect(Self.key(phase.name), from, to)) }
            }
            left = place(left, attempt.knownSeconds) + 2
            if !(attempt.verdict?.outcome.isGood ?? false) {
                shapes.append(Self.rect("pz", left - 2, left + 4))
            }
            left += Self.gap
        }
        return .element(
            "svg",
            [
                .class("time"), .init("viewBox", "0 0 1000 10"), .init("preserveAspectRatio", "none"),
                .init("role", "img"), .init("aria-label", label),
            ], shapes)
    }

    private var label: String {
        unit.attempts.map { "\(Figures.decimal($0.knownSeconds)) s" }.joined(separator: ", then ")
    }

    private func place(_ left: Double, _ seconds: Double) -> Double {
        left + min(max(0, seconds), 1e6) / scale * Self.width
    }

    private static func rect(_ name: String, _ from: Double, _ to: Double) -> HTML {
        .single(
            "rect",
            [
                .init("class", name), .init("x", "\(Figures.whole(from))"),
                .init("width", "\(max(1, Figures.whole(to) - Figures.whole(from)))"), .init("height", "10"),
            ])
    }
}
