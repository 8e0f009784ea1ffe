import Bytes
import UpdateModel

extension TrayPage {
    /// The size of a chart's view box.
    private static let (width, height) = (1000, 120)

    /// The charts of speed and of units at work over the time of the run, with holds and session starts.
    var timeline: HTML {
        let timeline = RunTimeline(record, clock)
        guard clock.total > 0, let highest = timeline.speeds.max(), highest > 0 else { return .none }
        // The record has the highest speed in any second; the curve of a long run has longer intervals.
        let fastest = record.sessions.compactMap(\.mostBytesPerSecond).max().map(Double.init) ?? highest
        let busiest = max(1, timeline.units.max() ?? 1)
        return section(
            "course", "Timeline of the run",
            [
                chart(
                    "All units together, peak \(Figures.speed(fastest))", "speed", timeline.speeds,
                    max(fastest, highest), timeline.step),
                chart(
                    "Units at work, peak \(Figures.whole((busiest - 0.05).rounded(.up)))", "work",
                    timeline.units, busiest, timeline.step),
                .tag(
                    "p", class: "legend", "0 to \(Figures.duration(clock.total)). ",
                    record.holds.isEmpty ? "" : "Grey: held. ",
                    clock.sessionStarts.isEmpty ? "" : "Dashed: start of the next session. ",
                    HTML(Self.limits(record))),
            ])
    }

    private static func limits(_ record: TrayRecord) -> String {
        let words = record.sessions.compactMap { session in
            session.limitedBy.map { "\($0) (session \(session.number))" }
        }
        return words.isEmpty ? "" : "Limited by: " + words.joined(separator: ", ") + "."
    }

    private func chart(
        _ title: String, _ name: String, _ values: [Double], _ highest: Double, _ step: Double
    ) -> HTML {
        let x = { (seconds: Double) in Figures.whole(seconds / clock.total * Double(Self.width)) }
        let holds = record.holds.map { hold -> HTML in
            let from = x(clock.seconds(hold.began))
            let to = x(hold.released.map(clock.seconds) ?? clock.total)
            return .rect("hold", from, max(2, to - from), Self.height)
        }
        let sessionStarts = clock.sessionStarts.map { start in
            HTML.single("path", [.class("session-start"), .init("d", "M\(x(start)) 0V\(Self.height)")])
        }
        var path = "M0 \(Self.height)"
        for (index, value) in values.enumerated() {
            let y = Figures.whole(Double(Self.height) - value / highest * Double(Self.height - 4))
            path += "L\(x(Double(index) * step)) \(y)L\(min(x(Double(index + 1) * step), Self.width)) \(y)"
        }
        path += "L\(Self.width) \(Self.height)Z"
        let shapes = holds + [.single("path", [.class("area"), .init("d", path)])] + sessionStarts
        return .tag(
            "figure", .tag("figcaption", HTML(title)),
            .picture("chart \(name)", "0 0 \(Self.width) \(Self.height)", title, shapes))
    }
}

extension HTML {
    /// The element `name` with `content`, in these CSS classes.
    static func tag(_ name: StaticString, class names: StaticString? = nil, _ content: HTML...) -> HTML {
        .element(name, names.map { [.class($0)] } ?? [], content)
    }

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
