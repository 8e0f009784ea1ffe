import Bytes
import UpdateModel

/// A run as a page that can be printed and signed: one HTML file, readable without network or scripts.
package struct TrayPage: Sendable {
    let record: TrayRecord
    let made: RecordedTime
    let version: String
    let clock: RunClock
    /// The files that were chosen for units, each once; units refer to them by number.
    let firmware: [FirmwareRecord]

    package init(_ record: TrayRecord, made: RecordedTime, version: String) {
        (self.record, self.made, self.version) = (record, made, version)
        clock = RunClock(record)
        firmware = record.units.flatMap(\.attempts).compactMap(\.firmware).unique
    }

    /// The bytes with which every file of this kind begins.
    package static let beginning = HTMLPage.beginning(of: kind)
    private static let kind: StaticString = "tray report of beacon-dfu"

    package var text: String {
        HTMLPage.text(
            title: "Tray report: \(record.tray ?? record.id)", kind: Self.kind, style: Self.style,
            script: Self.script,
            body: [
                header, .tag("main", map, failures, causes, timeline, units, bench, signature),
                .tag(
                    "footer",
                    "Run \(record.id). Made \(made) by beacon-dfu \(HTML.foreign(version)). Times are UTC."),
            ])
    }

    func section(_ name: StaticString, _ heading: String, _ content: [HTML]) -> HTML {
        .element("section", [.init("id", "\(name)")], [.tag("h2", HTML(heading))] + content)
    }

    /// A table with a row of headings; nothing if it has no rows.
    func table(_ name: StaticString, _ headings: [String], _ rows: [[HTML]]) -> HTML {
        guard !rows.isEmpty else { return .none }
        let head = HTML.element(
            "tr", [], headings.map { .element("th", [.init("scope", "col")], [HTML($0)]) })
        let body = rows.map { cells in
            HTML.element("tr", [], zip(headings, cells).map { .element("td", [.init("data-h", $0)], [$1]) })
        }
        return .tag("table", class: name, .tag("thead", head), .element("tbody", [], body))
    }

    /// A list of names with their values; pairs without a value are skipped.
    func facts(_ pairs: [(String, HTML?)], _ attributes: [HTML.Attribute] = []) -> HTML {
        .element(
            "dl", attributes,
            pairs.compactMap { name, value in
                value.map { .tag("div", .tag("dt", HTML(name)), .tag("dd", $0)) }
            })
    }

    func badge(_ status: UnitStatus) -> HTML {
        .element(
            "b", [.init("class", "badge s-\(status.name)"), .init("title", status.words)],
            [HTML(status.letter)])
    }

    func link(_ index: Int) -> HTML {
        .element("a", [.init("href", "#u\(index + 1)")], [.foreign(record.units[index].slot)])
    }

    func links(_ slots: [String]) -> HTML {
        let places = record.units.places
        return .all(slots.map { slot in places[slot].map { link($0) + " " } ?? .foreign(slot) + " " })
    }

    func address(_ unit: UnitRecord) -> HTML {
        .tag("code", class: "address", .foreign(unit.shortAddress ?? "not heard"))
    }

    static func version(_ text: String?) -> HTML { text.map(HTML.foreign) ?? "?" }

    /// A moment without fractions of seconds.
    static func moment(_ time: RecordedTime?) -> HTML? {
        time.map { HTML(String($0.description.prefix(19)).replacing("T", with: " ")) }
    }

    var bench: HTML { section("bench", "Bench", [sessions, holds, checks]) }

    private var sessions: HTML {
        table(
            "sessions", ["Session", "Began", "Ended", "Adapters", "Limited by", "Program"],
            record.sessions.map { session in
                let adapters = session.adapters.map { adapter in
                    adapter.name
                        + (adapter.mostLinks.map { ": peak \(Figures.count($0, "link"))" } ?? "")
                        + (adapter.limit.map { " of \($0)" } ?? "")
                }
                return [
                    "\(session.number)", Self.moment(session.began) ?? .none,
                    Self.moment(session.ended)
                        ?? (session.number == record.sessions.last?.number ? "not ended" : "cut off"),
                    HTML(adapters.joined(separator: "; ")), HTML(session.limitedBy ?? "–"),
                    .foreign(session.version),
                ]
            })
    }

    private var holds: HTML {
        table(
            "holds", ["Held from", "Until", "Reason"],
            record.holds.map { hold in
                [
                    Self.moment(hold.began) ?? .none, Self.moment(hold.released) ?? "not released",
                    .code(hold.code) + HTML(" " + hold.message),
                ]
            })
    }

    private var checks: HTML {
        table(
            "checks", ["Session", "Check", "", "Found"],
            record.sessions.flatMap { session in
                session.checks.map { check in
                    let mark = check.level == "ok" ? "✓" : check.level == "warning" ? "!" : "✗"
                    return [
                        "\(session.number)", HTML(check.name), HTML("\(mark) \(check.level)"),
                        HTML(check.message),
                    ]
                }
            })
    }

    var signature: HTML {
        let bad = record.units.filter { !$0.status.isGood }.map(\.slot)
        let rest = bad.isEmpty ? "All units are on the right firmware." : "Set aside:"
        let lines = [("Operator", record.operatorName), ("Approved by", nil)].map { role, name in
            HTML.tag(
                "div", class: "sign", .tag("span", HTML(role), name.map { ": " + .foreign($0) } ?? ""),
                .tag("span", "Date"), .tag("span", "Signature"))
        }
        return section(
            "signature", "Sign-off",
            [.tag("p", headline), .tag("p", HTML(rest + " "), links(bad))] + unconfirmed + lines)
    }

    /// The paragraph about units that pass with an image that their next restart may undo; empty if there are none.
    private var unconfirmed: [HTML] {
        let slots = record.units.filter { unit in
            // An attempt that changed nothing has no warning about the image of an earlier one.
            let last = unit.attempts.last { $0.verified != nil || $0.transfer != nil }
            return unit.status.isGood && last?.warnings.contains { $0.code == "image-in-test" } == true
        }.map(\.slot)
        guard !slots.isEmpty else { return [] }
        let words =
            "The image of \(Figures.count(slots.count, "unit")) is not confirmed: the next restart undoes the update, "
            + "unless the firmware confirms itself: "
        return [.tag("p", HTML(words), links(slots))]
    }

    /// The table of units that are not on the right firmware, the worst first: cause, state and next step.
    var failures: HTML {
        let bad = record.units.enumerated().filter { !$1.status.isGood }.sorted {
            ($0.element.status.rankInReports, $0.offset) < ($1.element.status.rankInReports, $1.offset)
        }
        var content: [HTML] = []
        if bad.isEmpty { content.append(.tag("p", "Every unit that was found is on the right firmware.")) }
        content += unconfirmed
        if let expected = record.expected, expected > record.units.count {
            let missing = Figures.count(expected - record.units.count, "unit")
            content.append(
                .tag("p", "\(missing) of \(expected) never found: check that they are switched on."))
        }
        content.append(
            table(
                "failures", ["Slot", "Unit", "Ended", "Cause", "State", "Next step"],
                bad.map { index, unit in
                    let verdict = unit.verdict
                    let state = verdict?.state?.words ?? (unit.attempts.isEmpty ? "not touched" : "unchanged")
                    let next = verdict?.nextStep ?? (verdict == nil ? "continue the run" : "–")
                    return [
                        link(index), unitCell(unit), badge(unit.status) + " \(unit.status.words)",
                        cause(verdict),
                        .foreign(state), .foreign(next),
                    ]
                }))
        return section("failures", "Not on the right firmware", content)
    }

    private func unitCell(_ unit: UnitRecord) -> HTML {
        unit.name.map { address(unit) + " " + .foreign($0) } ?? address(unit)
    }

    private func cause(_ verdict: UnitVerdict?) -> HTML {
        guard let verdict else { return "not finished" }
        let code = verdict.code.map { .code($0) + " " } ?? .none
        let during = verdict.during.map { ", during: \($0)" } ?? ""
        return code + .foreign(verdict.message ?? "") + HTML(during)
    }

    var causes: HTML {
        let causes = record.causes
        let all = causes.reduce(0) { $0 + $1.slots.count }
        guard all > 0 else { return .none }
        var sum = 0
        let rows = causes.map { cause -> [HTML] in
            sum += cause.slots.count
            let adapters = cause.adapters.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.key): \($0.value)" }
            return [
                .code(cause.code), "\(cause.slots.count)",
                bar(Double(cause.slots.count) / Double(causes[0].slots.count)),
                HTML(Figures.percent(Double(sum) / Double(all))), links(cause.slots),
                HTML(adapters.isEmpty ? "–" : adapters.joined(separator: ", ")),
            ]
        }
        return section(
            "causes", "Causes",
            [
                table("causes", ["Cause", "Units", "", "Cumulative", "Slots", "Attempts by adapter"], rows),
                adapters,
            ])
    }

    private func bar(_ share: Double) -> HTML {
        let width = HTML.Attribute("width", "\(max(1, Figures.whole(share * 100)))")
        return .picture("bar", "0 0 100 10", nil, [.single("rect", [width, .init("height", "10")])])
    }

    private var adapters: HTML {
        let all = Dictionary(grouping: record.units.flatMap(\.attempts), by: \.adapter)
        let rows = all.sorted { $0.key < $1.key }.map { name, attempts -> [HTML] in
            let count = { (outcomes: Set<UnitOutcome>) in
                attempts.count { $0.verdict.map { outcomes.contains($0.outcome) } ?? false }
            }
            let speeds = attempts.compactMap(\.transfer?.average)
            let average = speeds.isEmpty ? "–" : Figures.speed(speeds.reduce(0, +) / Double(speeds.count))
            return [
                .foreign(name), "\(attempts.count)", "\(count([.passed]))", "\(count([.failed, .unknown]))",
                "\(count([.error]))", HTML(average),
            ]
        }
        return table(
            "adapters", ["Adapter", "Attempts", "Passed", "Failed", "Bench errors", "Mean speed"], rows)
    }

    var map: HTML {
        let map = TrayMap(record.units.map(\.slot))
        guard !record.units.isEmpty else { return section("map", "Tray", ["The tray was empty."]) }
        if map.isFlowing {
            return section(
                "map", "Tray", [.element("div", [.class("flow")], map.rows[0].compactMap { $0.map(tile) })])
        }
        let rows = map.rows.map { row in
            HTML.element("tr", [], row.map { place in .tag("td", place.map(tile) ?? .none) })
        }
        return section("map", "Tray", [.tag("table", class: "map", .element("tbody", [], rows))])
    }

    private func tile(_ index: Int) -> HTML {
        let unit = record.units[index]
        let status = unit.status
        let share = unit.share.map { "\(Figures.whole(($0 * 100).rounded(.down))) %" } ?? "–"
        let tip = [unit.slot, unit.shortAddress, unit.name, status.words, unit.verdict?.code]
        return .element(
            "a",
            [
                .init("class", "tile s-\(status.name)"), .init("href", "#u\(index + 1)"),
                .init("title", tip.compactMap(\.self).joined(separator: ", ")),
            ],
            [
                .tag("b", HTML(status.letter)), .tag("span", .foreign(unit.slot)),
                .tag("small", HTML(Self.lastFour(unit.shortAddress))), .tag("i", HTML(share)),
                unit.isGolden ? .element("em", [.init("title", "golden unit")], ["★"]) : .none,
            ])
    }

    /// The last two bytes of an address, for example `0C:2F`; the last six characters of any other text.
    private static func lastFour(_ text: String?) -> String {
        guard let text else { return "–" }
        return text.utf8.count == 17 ? String(text.suffix(5)) : String(text.suffix(6))
    }
}
