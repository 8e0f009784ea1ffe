import Bytes

extension TrayPage {
    /// The summary for readers who see only this: whether the tray is done, and its units, operator and firmware.
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
        for status in UnitStatus.all where !status.isGood && number(status) > 0 {
            parts.append(HTML(status.count(number(status))))
        }
        if let expected = record.expected, expected > units.count {
            parts.append("\(expected - units.count) never found")
        }
        parts.append(HTML("first-pass yield " + Self.yield(record.firstPassYield)))
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }

    private func number(_ status: UnitStatus) -> Int {
        record.units.count { $0.verdict?.outcome == status.outcome }
    }

    static func yield(_ yield: Yield) -> String {
        guard let share = yield.share else { return "none yet" }
        return "\(Figures.percent(share)) (\(yield.passed)\u{A0}of\u{A0}\(yield.counted))"
    }

    /// The key to letters and colours, with counts. With the script, it also filters the units.
    private var chips: HTML {
        .element(
            "ul", [.class("chips")],
            UnitStatus.all.reversed().compactMap { status in
                guard number(status) > 0 else { return nil }
                return .element(
                    "li", [.init("data-f", status.name)],
                    [badge(status), HTML(" " + status.count(number(status)))])
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
