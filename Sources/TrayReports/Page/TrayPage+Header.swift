import ReportFormats
import Tray

extension TrayPage {
    /// What a person wants to know who sees only this: whether the tray is done, and who worked on what.
    var header: HTML {
        .element(
            "header", [],
            [
                .element(
                    "h1", [], ["Tray report", .element("small", [], [.foreign(record.tray ?? "by rule")])]),
                .element("p", [.class("headline")], [headline]),
                chips,
                facts([
                    ("Beacons", record.isSimulated == true ? "simulated" : nil),
                    ("Order", record.orderNumber.map(HTML.foreign)),
                    ("Station", record.station.map(HTML.foreign)),
                    ("Operator", record.operatorName.map(HTML.foreign)),
                    ("Began", Self.moment(record.sessions.first?.began)),
                    ("Ended", Self.moment(record.sessions.last?.ended) ?? "not ended"),
                    ("At work", HTML(Figures.duration(clock.total) + sessionWords)),
                    ("Final yield", HTML(Self.yield(record.finalYield))),
                ]),
                firmwareList,
            ])
    }

    private var sessionWords: String {
        record.sessions.count > 1 ? " in \(record.sessions.count) sessions" : ""
    }

    /// `41 of 48 on the right firmware · 3 failed · first-pass yield 93.8 %`.
    var headline: HTML {
        let units = record.units
        let good = units.count { $0.verdict?.outcome.isGood ?? false }
        var parts: [HTML] = [
            "\(HTML.element("b", [], ["\(good) of \(record.expected ?? units.count)"])) on the right firmware"
        ]
        for standing in UnitStatus.all where !standing.isGood && number(standing) > 0 {
            parts.append(HTML(standing.count(number(standing))))
        }
        if let expected = record.expected, expected > units.count {
            parts.append("\(expected - units.count) never found")
        }
        parts.append(HTML("first-pass yield " + Self.yield(record.firstPassYield)))
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }

    private func number(_ standing: UnitStatus) -> Int {
        record.units.count { $0.verdict?.outcome == standing.outcome }
    }

    static func yield(_ yield: Yield) -> String {
        guard let share = yield.share else { return "none yet" }
        return "\(Figures.percent(share)) (\(yield.passed)\u{A0}of\u{A0}\(yield.counted))"
    }

    /// The key to letters and colours, with counts. With the script, what is shown is chosen by it.
    private var chips: HTML {
        .element(
            "ul", [.class("chips")],
            UnitStatus.all.reversed().compactMap { standing in
                guard number(standing) > 0 else { return nil }
                return .element(
                    "li", [.init("data-f", standing.name)],
                    [badge(standing), HTML(" " + standing.count(number(standing)))])
            })
    }

    private var firmwareList: HTML {
        .element(
            "ol", [.class("firmware")],
            firmware.map { file in
                let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
                return .element(
                    "li", [],
                    [
                        .element("b", [], [Self.version(file.version)]), " ",
                        .element("span", [.init("title", file.path)], [.foreign(name)]),
                        " · \(HTML.foreign(file.kind)) · \(file.bytes) bytes · SHA-256 ",
                        .element("code", [], [HTML(file.sha256)]),
                    ])
            })
    }
}
