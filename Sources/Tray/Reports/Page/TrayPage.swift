import Bytes

/// A run as a page that can be printed and signed: one file, readable without network or scripts.
public struct TrayPage: Sendable {
    /// The run.
    let record: TrayRecord
    /// When the page was made.
    let made: RecordedTime
    /// The program's version.
    let version: String
    /// The run's time.
    let clock: RunClock
    /// The files that were sent, each once; units refer to them by number.
    let firmware: [FirmwareRecord]

    /// The page of `record`, made at `made` by the program's `version`.
    public init(_ record: TrayRecord, made: RecordedTime, version: String) {
        (self.record, self.made, self.version) = (record, made, version)
        clock = RunClock(record)
        var seen: Set<FirmwareRecord> = []
        firmware = record.units.flatMap(\.attempts).compactMap(\.firmware).filter { seen.insert($0).inserted }
    }

    /// The beginning of every such file.
    public static let beginning = HTMLPage.beginning(of: kind)
    private static let kind: StaticString = "tray report of beacon-dfu"

    /// The file.
    public var text: String {
        HTMLPage(
            title: "Tray report: \(record.tray ?? record.id)", kind: Self.kind,
            style: Self.style,
            script: Self.script,
            body: [
                header,
                .element("main", [], [map, failures, causes, timeline, units, bench, signature]),
                .element(
                    "footer", [],
                    ["Run \(record.id). Made \(made) by beacon-dfu \(HTML.foreign(version)). Times are UTC."]),
            ]
        ).text
    }

    /// A part of the page with its own heading.
    func section(_ name: StaticString, _ heading: String, _ content: [HTML]) -> HTML {
        .element(
            "section", [.init("id", "\(name)")], [.element("h2", [], [HTML(heading)])] + content)
    }

    /// A table with a row of headings; nothing if it has no rows.
    func table(_ name: StaticString, _ headings: [String], _ rows: [[HTML]]) -> HTML {
        guard !rows.isEmpty else { return .none }
        let head = HTML.element(
            "tr", [], headings.map { .element("th", [.init("scope", "col")], [HTML($0)]) })
        let body = rows.map { cells in
            HTML.element(
                "tr", [],
                zip(headings, cells).map { .element("td", [.init("data-h", $0)], [$1]) })
        }
        return .element(
            "table", [.class(name)], [.element("thead", [], [head]), .element("tbody", [], body)])
    }

    /// Names and values in pairs; pairs without a value are skipped.
    func facts(_ pairs: [(String, HTML?)], _ attributes: [HTML.Attribute] = []) -> HTML {
        .element(
            "dl", attributes,
            pairs.compactMap { name, value in
                value.map {
                    .element("div", [], [.element("dt", [], [HTML(name)]), .element("dd", [], [$0])])
                }
            })
    }

    /// The letter of `status` on its colour.
    func badge(_ status: UnitStatus) -> HTML {
        .element(
            "b", [.init("class", "badge s-\(status.name)"), .init("title", status.words)],
            [HTML(status.letter)])
    }

    /// A link to the unit at `index`, by its slot.
    func link(_ index: Int) -> HTML {
        .element("a", [.init("href", "#u\(index + 1)")], [.foreign(record.units[index].slot)])
    }

    /// Links to units, by their slots.
    func links(_ slots: [String]) -> HTML {
        let places = Dictionary(
            record.units.enumerated().map { ($1.slot, $0) }, uniquingKeysWith: { first, _ in first })
        return .all(slots.map { slot in places[slot].map { link($0) + " " } ?? .foreign(slot) + " " })
    }

    /// The address that identifies a unit.
    func address(_ unit: UnitRecord) -> HTML {
        .element("code", [.class("address")], [.foreign(unit.shortAddress ?? "not heard")])
    }

    /// A version; `?` if it is not known.
    static func version(_ text: String?) -> HTML { text.map(HTML.foreign) ?? "?" }

    /// A moment without fractions of seconds.
    static func moment(_ time: RecordedTime?) -> HTML? {
        time.map { HTML(String($0.description.prefix(19)).replacing("T", with: " ")) }
    }
}
