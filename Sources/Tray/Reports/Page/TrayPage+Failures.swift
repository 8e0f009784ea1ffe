import Bytes

extension TrayPage {
    /// Every unit that is not on the right firmware: cause, state and next step. The worst first.
    var failures: HTML {
        let bad = record.units.enumerated().filter { !($1.verdict?.outcome.isGood ?? false) }
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        var content: [HTML] = []
        if bad.isEmpty {
            content.append(.element("p", [], ["Every unit that was found is on the right firmware."]))
        }
        if let expected = record.expected, expected > record.units.count {
            let missing = Figures.count(expected - record.units.count, "unit")
            content.append(
                .element(
                    "p", [], ["\(missing) of \(expected) never found: check that they are switched on."]))
        }
        content.append(
            table(
                "failures", ["Slot", "Unit", "Ended", "Cause", "State", "Next step"],
                bad.map { index, unit in
                    let verdict = unit.verdict
                    return [
                        link(index), who(unit), badge(unit.status) + " \(unit.status.words)",
                        cause(verdict),
                        .foreign(
                            verdict?.state?.words ?? (unit.attempts.isEmpty ? "not touched" : "unchanged")),
                        .foreign(
                            verdict?.nextStep ?? (verdict == nil ? "continue the run" : "–")
                        ),
                    ]
                }))
        return section("failures", "Not on the right firmware", content)
    }

    private func who(_ unit: UnitRecord) -> HTML {
        unit.name.map { address(unit) + " " + .foreign($0) } ?? address(unit)
    }

    private func cause(_ verdict: UnitVerdict?) -> HTML {
        guard let verdict else { return "not finished" }
        let code = verdict.code.map { HTML.element("code", [], [HTML($0)]) + " " } ?? .none
        let during = verdict.during.map { ", during: \($0)" } ?? ""
        return code + .foreign(verdict.message ?? "") + HTML(during)
    }

    /// The most frequent causes, with their slots and adapters.
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
                .element("code", [], [HTML(cause.code)]), "\(cause.slots.count)",
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
        return .element(
            "svg",
            [
                .class("bar"), .init("viewBox", "0 0 100 10"), .init("preserveAspectRatio", "none"),
                .init("aria-hidden", "true"),
            ], [.single("rect", [width, .init("height", "10")])])
    }

    /// How attempts ended, by adapter.
    private var adapters: HTML {
        let all = Dictionary(grouping: record.units.flatMap(\.attempts), by: \.adapter)
        let rows = all.sorted { $0.key < $1.key }.map { name, attempts -> [HTML] in
            let count = { (outcomes: Set<Outcome>) in
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
}

extension UnitRecord {
    /// Its status.
    var status: UnitStatus { UnitStatus(verdict?.outcome) }
    /// Its rank; 0 is the worst.
    var rank: Int { status.rank }
}
