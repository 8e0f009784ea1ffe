import Bytes

extension TrayPage {
    /// A line for each unit, which opens and shows all details.
    var units: HTML {
        let scale = UnitTimeline.scale(of: record)
        let heads: [(String, String)] = [
            ("n", "Slot"), ("", "Unit"), ("", "Version"), ("", "Timeline"), ("t", "Time"), ("v", "Speed"),
            ("a", "Tries"),
        ]
        let head = HTML.element(
            "div", [.class("row head"), .init("aria-hidden", "true")],
            heads.map { key, name in
                .element("span", key.isEmpty ? [] : [.init("data-k", key)], [HTML(name)])
            })
        let rows = record.units.enumerated().map { row($1, at: $0, scale) }
        let tools: [HTML] = [
            .tag("label", "Show ", .single("input", [.init("type", "search"), .init("id", "find")])),
            .element("span", [.init("data-k", "r")], ["worst first"]),
            .element("output", [.init("id", "shown")]),
        ]
        return section(
            "units", "Units",
            [
                .element("p", [.class("tools"), .init("hidden")], tools), UnitTimeline.legend, head,
                .element("div", [.init("id", "list")], rows),
            ])
    }

    private func row(_ unit: UnitRecord, at index: Int, _ scale: Double) -> HTML {
        let merged = unit.mergedAttempts
        let from = HTML.all([
            Self.version(merged?.versionBefore), " → ",
            merged?.versionAfter.map { .tag("b", .foreign($0)) }
                ?? .all(["(", Self.version(merged?.firmware?.version), ")"]),
        ])
        let cells: [HTML] = [
            .all([badge(unit.status), " ", .foreign(unit.slot), unit.isGolden ? " ★" : ""]),
            .all([
                address(unit), " ", .foreign(unit.name ?? ""), " ",
                .tag("small", .foreign(unit.model ?? "")),
            ]),
            merged == nil ? "–" : from, UnitTimeline.picture(of: unit, scale: scale),
            HTML(merged?.seconds.map(Figures.duration) ?? "–"),
            HTML(merged?.transfer.map { Figures.speed($0.average) } ?? "–"), "\(unit.attempts.count)",
        ]
        let summary = HTML.element("summary", [.class("row")], cells.map { .tag("span", $0) })
        let more = HTML.element(
            "div", [.class("more"), .init("id", "u\(index + 1)")],
            [details(unit)] + unit.attempts.map(attempt))
        let keys: [HTML.Attribute] = [
            .init("data-n", "\(index)"), .init("data-r", "\(unit.status.rankInReports)"),
            .init("data-f", unit.status.name),
            .init("data-t", "\(Figures.whole((merged?.seconds ?? 0) * 1000))"),
            .init("data-v", "\(Figures.whole(merged?.transfer?.average ?? 0))"),
            .init("data-a", "\(unit.attempts.count)"),
        ]
        return .element("details", keys, [summary, more])
    }

    private func details(_ unit: UnitRecord) -> HTML {
        let verdict = unit.verdict
        let cause = verdict?.reason ?? ""
        let ending = facts(
            [
                ("Ended", HTML(unit.status.words + (cause.isEmpty ? "" : ", ")) + .foreign(cause)),
                ("State", verdict?.state.map { .foreign($0.words) }),
                ("Next step", verdict?.nextStep.map(HTML.foreign)),
            ], [.class("again")])
        let source = FieldSource(unit)
        let fields = RecordField.all.compactMap { field in
            field.page.map { title in
                let isText = if case .text = field.value(source) { true } else { false }
                return (title, field.words(source).map { isText ? HTML.foreign($0) : HTML($0) })
            }
        }
        return ending + facts([("Address", unit.address.map { HTML($0) })] + fields)
    }

    private func attempt(_ attempt: AttemptRecord) -> HTML {
        let number = attempt.firmware.flatMap { firmware.firstIndex(of: $0) }.map { "file \($0 + 1)" }
        let ended = attempt.verdict.map { verdict in
            [verdict.outcome.words, verdict.code].compactMap(\.self).joined(separator: ", ")
        }
        var words = [
            "Attempt \(attempt.number)", ended ?? "cut off", attempt.adapter, "session \(attempt.session)",
            "began \(attempt.began.description.dropFirst(11).prefix(8))",
            attempt.seconds.map(Figures.duration), "at \(attempt.address)", number,
            attempt.verified.map { "verified: \($0)" },
        ].compactMap(\.self)
        if let transfer = attempt.transfer {
            words.append(
                "\(transfer.bytes) bytes in \(Figures.duration(transfer.seconds)), \(Figures.speed(transfer.average)), "
                    + (transfer.limitedBy.map { "limited by \($0), " } ?? "")
                    + "retries: \(transfer.retries)")
        }
        if let times = attempt.timesSent, times > 1 { words.append("image sent \(times) times") }
        let phases = attempt.phases.map { "\($0.name) \(Figures.decimal($0.at))" }.joined(separator: " · ")
        let warnings = attempt.warnings.map { warning in
            .single("br") + .code(warning.code) + HTML(" " + warning.message)
        }
        return .tag(
            "p", HTML(words.joined(separator: " · ")), .single("br"),
            .tag("small", HTML(phases.isEmpty ? "no phase was reached" : phases)),
            curve(attempt), .all(warnings))
    }

    /// The most points of a curve: more would exceed its resolution.
    private static let mostPoints = 60

    /// The rate at which an attempt's firmware was accepted, as a small curve; empty if there are too few points.
    private func curve(_ attempt: AttemptRecord) -> HTML {
        let speeds = attempt.speeds
        guard speeds.count > 2, let first = speeds.first?.at, let last = speeds.last?.at, last > first else {
            return .none
        }
        // The average of the whole transfer may be higher than every point.
        let average = attempt.transfer?.average ?? 0
        let most = max(1, average, speeds.map(\.bytesPerSecond).max() ?? 1)
        let step = (speeds.count + Self.mostPoints - 1) / Self.mostPoints
        let points = stride(from: 0, to: speeds.count, by: step).map { start -> String in
            let group = speeds[start..<min(start + step, speeds.count)]
            let mean = group.reduce(0) { $0 + $1.bytesPerSecond } / Double(group.count)
            let x = (group[start].at - first) / (last - first) * 200
            return "\(Figures.whole(x)),\(30 - Figures.whole(mean / most * 28))"
        }
        return .single("br")
            + .picture(
                "curve", "0 0 200 30", "speed, peak \(Figures.speed(most))",
                [.single("polyline", [.init("points", points.joined(separator: " "))])])
            + .tag("small", HTML(" peak \(Figures.speed(most))"))
    }
}
