import Bytes

extension TrayPage {
    /// The bench: sessions, the checks before them, and the holds of the tray.
    var bench: HTML {
        section("bench", "Bench", [sessions, holds, checks])
    }

    private var sessions: HTML {
        table(
            "sessions", ["Session", "Began", "Ended", "Adapters", "Limited by", "Program"],
            record.sessions.map { session in
                let adapters = session.adapters.map { adapter in
                    adapter.name
                        + (adapter.mostLinks.map { ": at most \(Figures.count($0, "link"))" } ?? "")
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
                    .element("code", [], [HTML(hold.code)]) + HTML(" " + hold.message),
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

    /// The form for two signatures below the headline.
    var signature: HTML {
        let bad = record.units.filter { !($0.verdict?.outcome.isGood ?? false) }.map(\.slot)
        let rest = bad.isEmpty ? "All units are on the right firmware." : "Set aside:"
        let lines = [("Operator", record.operatorName), ("Approved by", nil)].map { role, name in
            HTML.element(
                "div", [.class("sign")],
                [
                    .element("span", [], [HTML(role), name.map { ": " + .foreign($0) } ?? ""]),
                    .element("span", [], ["Date"]), .element("span", [], ["Signature"]),
                ])
        }
        return section(
            "signature", "Sign-off",
            [.element("p", [], [headline]), .element("p", [], [HTML(rest + " "), links(bad)])] + lines)
    }
}
