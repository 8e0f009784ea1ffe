import Bytes

extension TrayPage {
    private static let width = 1000.0
    private static let height = 120.0

    /// Speed and units at work over the time of the run, with holds and session starts.
    var timeline: HTML {
        let timeline = RunTimeline(record, clock)
        guard clock.total > 0, let highest = timeline.speeds.max(), highest > 0 else { return .none }
        // The figure of the live view, which counts by the second; in long runs the curve has longer intervals.
        let fastest =
            record.sessions.compactMap(\.mostBytesPerSecond).max().map(Double.init) ?? highest
        let busiest = max(1, timeline.units.max() ?? 1)
        return section(
            "course", "Timeline of the run",
            [
                chart(
                    "All units together, at most \(Figures.speed(fastest))", "speed", timeline.speeds,
                    max(fastest, highest), timeline.step),
                chart(
                    "Units at work, at most \(Figures.whole((busiest - 0.05).rounded(.up)))", "work",
                    timeline.units, busiest,
                    timeline.step),
                .element(
                    "p", [.class("legend")],
                    [
                        "0 to \(Figures.duration(clock.total)). ",
                        HTML(record.holds.isEmpty ? "" : "Grey: held. "),
                        HTML(clock.seams.isEmpty ? "" : "Dashed: start of the next session. "),
                        HTML(Self.limits(record)),
                    ]),
            ])
    }

    private static func limits(_ record: TrayRecord) -> String {
        let words = record.sessions.compactMap { session in
            session.limitedBy.map { "session \(session.number) by \($0)" }
        }
        return words.isEmpty ? "" : "Limited: " + words.joined(separator: ", ") + "."
    }

    private func chart(_ title: String, _ name: String, _ values: [Double], _ most: Double, _ step: Double)
        -> HTML
    {
        let x = { (seconds: Double) in Figures.whole(seconds / clock.total * Self.width) }
        let holds = record.holds.map { hold -> HTML in
            let from = x(clock.seconds(hold.began))
            let to = x(hold.released.map(clock.seconds) ?? clock.total)
            return .single(
                "rect",
                [
                    .class("hold"), .init("x", "\(from)"), .init("width", "\(max(2, to - from))"),
                    .init("height", "\(Figures.whole(Self.height))"),
                ])
        }
        let seams = clock.seams.map { seam in
            HTML.single("path", [.class("seam"), .init("d", "M\(x(seam)) 0V\(Figures.whole(Self.height))")])
        }
        var path = "M0 \(Figures.whole(Self.height))"
        for (index, value) in values.enumerated() {
            let y = Figures.whole(Self.height - value / most * (Self.height - 4))
            path += "L\(x(Double(index) * step)) \(y)L\(min(x(Double(index + 1) * step), 1000)) \(y)"
        }
        path += "L1000 \(Figures.whole(Self.height))Z"
        return .element(
            "figure", [],
            [
                .element("figcaption", [], [HTML(title)]),
                .element(
                    "svg",
                    [
                        .init("class", "chart \(name)"), .init("viewBox", "0 0 1000 120"),
                        .init("preserveAspectRatio", "none"), .init("role", "img"),
                        .init("aria-label", title),
                    ], holds + [.single("path", [.class("area"), .init("d", path)])] + seams),
            ])
    }
}
