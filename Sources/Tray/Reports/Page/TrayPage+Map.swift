import Bytes

extension TrayPage {
    /// The tray's layout on the bench.
    var map: HTML {
        let map = TrayMap(record.units.map(\.slot))
        guard !record.units.isEmpty else { return section("map", "Tray", ["The tray was empty."]) }
        if map.isFlowing {
            return section(
                "map", "Tray", [.element("div", [.class("flow")], map.rows[0].compactMap { $0.map(tile) })])
        }
        let rows = map.rows.map { row in
            HTML.element(
                "tr", [],
                row.map { place in place.map { .element("td", [], [tile($0)]) } ?? .element("td") })
        }
        return section("map", "Tray", [.element("table", [.class("map")], [.element("tbody", [], rows)])])
    }

    private func tile(_ index: Int) -> HTML {
        let unit = record.units[index]
        let status = UnitStatus(unit.verdict?.outcome)
        let share = unit.share.map { "\(Figures.whole(($0 * 100).rounded(.down))) %" } ?? "–"
        return .element(
            "a",
            [
                .init("class", "tile s-\(status.name)"), .init("href", "#u\(index + 1)"),
                .init("title", tip(unit, status)),
            ],
            [
                .element("b", [], [HTML(status.letter)]), .element("span", [], [.foreign(unit.slot)]),
                .element("small", [], [HTML(Self.lastFour(unit.shortAddress))]),
                .element("i", [], [HTML(share)]),
                unit.isGolden ? .element("em", [.init("title", "golden unit")], ["★"]) : .none,
            ])
    }

    private func tip(_ unit: UnitRecord, _ status: UnitStatus) -> String {
        [unit.slot, unit.shortAddress, unit.name, status.words, unit.verdict?.code].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// The last two bytes of an address, for example `0C:2F`; the end of any other text.
    private static func lastFour(_ text: String?) -> String {
        guard let text else { return "–" }
        return text.utf8.count == 17 ? String(text.suffix(5)) : String(text.suffix(6))
    }
}
