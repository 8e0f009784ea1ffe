import Bytes

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
