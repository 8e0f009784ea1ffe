import Bluetooth
import CommandKit
import Identity

/// A table at the bottom of a terminal, redrawn on changes.
struct LiveTable: Sendable {
    static let shortestPause = Duration.milliseconds(250)

    let table: SightingTable
    private var lastDrawn: Duration?

    init(_ table: SightingTable = SightingTable()) { self.table = table }

    /// The table of `sightings` at `moment`, cut to `size`, with `help` below it; nil if the last drawing is less than
    /// ``shortestPause`` old, unless it answers a key. `sightings` is lazy because sorting hundreds takes time.
    mutating func frame(
        _ sightings: @autoclosure () -> [BeaconSighting], help: String, at moment: Duration,
        in size: TerminalSize,
        isAnswer: Bool = false
    ) -> [TerminalText]? {
        if let lastDrawn, moment - lastDrawn < Self.shortestPause, !isAnswer { return nil }
        lastDrawn = moment
        let sightings = sightings()
        let room = max(1, size.rows - 3)
        let lines = table.lines(
            Array(sightings.prefix(room)), width: size.columns - 1, heardUntil: moment)
        let hidden = sightings.count - room
        return lines + [
            TerminalText(hidden > 0 ? "and \(hidden) more; \(help)" : help).clipped(to: size.columns - 1)
        ]
    }
}
