/// A table at the bottom of a terminal that is drawn over and over.
struct LiveTable: Sendable {
    static let shortestPause = Duration.milliseconds(250)

    private var drawn = 0
    private var lastDrawn: Duration?

    /// The table of `sightings` at `moment`, as what a terminal has to be sent to have it in place of the last
    /// one; nil when the last one is too fresh.
    mutating func frame(
        _ sightings: [Sighting], at moment: Duration, in size: TerminalSize
    ) -> String? {
        if let lastDrawn, moment - lastDrawn < Self.shortestPause { return nil }
        lastDrawn = moment
        let room = max(1, size.rows - 3)
        var lines = [Sighting.heading + "  AGO"]
        lines += sightings.prefix(room).map { sighting in
            let ago = Quantities.seconds((moment - sighting.lastSeen) / .seconds(1))
            return sighting.line + String(repeating: " ", count: Self.gap(sighting)) + ago
        }
        let hidden = sightings.count - room
        lines.append(hidden > 0 ? "and \(hidden) more; Ctrl-C ends" : "Ctrl-C ends")
        defer { drawn = lines.count }
        // A line that wraps would take two rows, and the next table would begin one row too low.
        let text = lines.map { String(PlainText.cleaned($0).prefix(max(1, size.columns - 1))) }
            .joined(separator: "\n")
        return Self.upwards(drawn - 1) + "\r\u{1B}[J" + text
    }

    /// What takes the table away.
    var removal: String { Self.upwards(drawn - 1) + "\r\u{1B}[J" }

    private static func upwards(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    private static func gap(_ sighting: Sighting) -> Int {
        max(1, Sighting.heading.count + 2 - sighting.line.count)
    }
}
