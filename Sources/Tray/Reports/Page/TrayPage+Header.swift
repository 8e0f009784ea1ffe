import Bytes

extension TrayPage {
    /// The summary at the top of the page: whether the tray is done, and its units, operator and firmware.
    var header: HTML {
        let sessions = record.sessions.count > 1 ? " in \(record.sessions.count) sessions" : ""
        return .tag(
            "header", .tag("h1", "Tray report", .tag("small", .foreign(record.tray ?? "by rule"))),
            .tag("p", class: "headline", headline),
            .tag("p", class: "legend", HTML(UnitRecord.firstPassMeaning)),
            chips,
            facts([
                ("Beacons", record.isSimulated == true ? "simulated" : nil),
                ("Order", record.orderNumber.map(HTML.foreign)),
                ("Station", record.station.map(HTML.foreign)),
                ("Operator", record.operatorName.map(HTML.foreign)),
                ("Began", Self.moment(record.sessions.first?.began)),
                ("Ended", Self.moment(record.sessions.last?.ended) ?? "not ended"),
                ("At work", HTML(Figures.duration(clock.total) + sessions)),
                ("Final yield", HTML(Self.yield(record.counts.finalYield))),
            ]), firmwareList)
    }

    /// `41 of 48 on the right firmware · 3 failed · first-pass yield 93.8 % (45 of 48)`.
    var headline: HTML {
        let counts = record.counts
        var parts: [HTML] = [
            .tag("b", "\(counts.good) of \(record.expected ?? counts.units)") + " on the right firmware"
        ]
        for status in UnitStatus.ofReports where !status.isGood && counts[status] > 0 {
            parts.append(HTML(status.count(counts[status])))
        }
        if let expected = record.expected, expected > counts.units {
            parts.append("\(expected - counts.units) never found")
        }
        parts.append(HTML("first-pass yield " + Self.yield(counts.firstPassYield)))
        return parts.dropFirst().reduce(parts[0]) { $0 + " · " + $1 }
    }

    static func yield(_ yield: Yield) -> String {
        guard let share = yield.share else { return "none yet" }
        return "\(Figures.percent(share)) (\(yield.passed)\u{A0}of\u{A0}\(yield.counted))"
    }

    /// The legend of letters and colours, with counts. With the script, it also filters the units.
    private var chips: HTML {
        let counts = record.counts
        return .element(
            "ul", [.class("chips")],
            UnitStatus.ofReports.reversed().compactMap { status in
                guard counts[status] > 0 else { return nil }
                return .element(
                    "li", [.init("data-f", status.name)],
                    [badge(status), HTML(" " + status.count(counts[status]))])
            })
    }

    private var firmwareList: HTML {
        .element(
            "ol", [.class("firmware")],
            firmware.map { file in
                .tag(
                    "li", .tag("b", Self.version(file.version)), " ",
                    .element("span", [.init("title", file.path)], [.foreign(file.path.lastName)]),
                    " · \(HTML.foreign(file.kind)) · \(file.bytes) bytes · SHA-256 ", .code(file.sha256))
            })
    }
}
