import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import UpdateModel

actor LiveScan {
    private let console: Console
    private let wall: WallTime
    private let layout: ScanLayout
    private(set) var heard: BeaconSightings
    private var changes = ChangeFilter()
    private var table: LiveTable?
    private(set) var keys: WatchKeys
    /// What a paused table shows, and when the pause began; nil while the table is not paused.
    private var pause: (heard: BeaconSightings, moment: Duration)?
    let hasKeys: Bool
    private var hasHeading = false

    init(_ heard: BeaconSightings, layout: ScanLayout, console: Console, wall: WallTime) {
        (self.heard, self.layout, self.console, self.wall) = (heard, layout, console, wall)
        keys = WatchKeys(order: layout.order)
        // A file or another program needs lines, even if stderr is a terminal.
        let isLive = console.style.isTerminal && !console.style.isJSON && isatty(STDOUT_FILENO) == 1
        table = isLive ? LiveTable(layout.table) : nil
        hasKeys = isLive && KeyMode.isInForeground(of: STDIN_FILENO)
    }

    /// Whether a live table is on the terminal; it is removed at the end.
    var isLive: Bool { table != nil }

    func add(_ report: Advertisement, at moment: Duration) {
        let sighting = heard.add(report, at: moment)
        guard layout.passes(sighting) else { return }
        if table != nil {
            draw(at: moment)
        } else if changes.isPrinted(sighting, at: moment) {
            print(sighting)
        }
    }

    /// Handles keys typed at the table; returns true if one of them ends the watch.
    func press(_ pressed: [TerminalKey], at moment: Duration) -> Bool {
        for key in pressed where keys.press(key) { return true }
        if keys.isPaused != (pause != nil) { pause = keys.isPaused ? (heard, moment) : nil }
        draw(at: moment, isAnswer: true)
        return false
    }

    /// Redraws the table, even if nothing is heard, until the task is cancelled.
    func redrawEverySecond(by time: Timekeeper) async {
        guard isLive else { return }
        repeat { draw(at: time.now) } while (try? await time.sleep(for: .seconds(1))) != nil
    }

    private func draw(at moment: Duration, isAnswer: Bool = false) {
        let size = TerminalSize.current
        guard !keys.isListing else {
            return console.draw(lines: WatchKeys.list.prefix(size.rows - 1).map { TerminalText($0) })
        }
        let frame = table?.frame(
            shown, help: hasKeys ? keys.help : "Ctrl-C ends", at: moment, until: pause?.moment, in: size,
            isAnswer: isAnswer)
        if let frame { console.draw(lines: frame) }
    }

    func end() { console.draw(lines: []) }

    private var shown: [BeaconSighting] {
        keys.order.sorted((pause?.heard ?? heard).all.filter { layout.passes($0) && keys.passes($0) })
    }

    private func print(_ sighting: BeaconSighting) {
        console.event(JSONLine("beacon", sighting.members(wall, layout)))
        guard !console.style.isJSON else { return }
        // The heading is printed once, before the first line.
        let lines = SightingTable(layout.columns, updates: layout.updates).lines([sighting], width: nil)
        if !hasHeading { console.result("TIME                      \(lines[0])") }
        hasHeading = true
        console.result("\(wall.text(sighting.lastSeen))  \(lines[1])")
    }
}

struct LiveTable: Sendable {
    static let shortestPause = Duration.milliseconds(250)

    let table: SightingTable
    private var lastDrawn: Duration?

    init(_ table: SightingTable = SightingTable()) { self.table = table }

    /// The table of `sightings`, cut to `size`, with `help` below it; nil if the last frame was drawn less than
    /// ``shortestPause`` before `moment`, unless this one answers a key. `end` is when the sightings were taken; nil for
    /// `moment`. `sightings` is lazy because sorting hundreds takes time.
    mutating func frame(
        _ sightings: @autoclosure () -> [BeaconSighting], help: String, at moment: Duration,
        until end: Duration? = nil, in size: TerminalSize, isAnswer: Bool = false
    ) -> [TerminalText]? {
        if let lastDrawn, moment - lastDrawn < Self.shortestPause, !isAnswer { return nil }
        lastDrawn = moment
        let sightings = sightings()
        let room = max(1, size.rows - 3)
        let lines = table.lines(
            Array(sightings.prefix(room)), width: size.columns - 1, heardUntil: end ?? moment)
        let hidden = sightings.count - room
        return lines + [
            TerminalText(hidden > 0 ? "and \(hidden) more; \(help)" : help).clipped(to: size.columns - 1)
        ]
    }
}

/// Decides which changes of a beacon `scan --watch` prints: it appeared, its data changed, or its signal became stronger
/// or weaker; at most one line a second for each beacon.
struct ChangeFilter: Sendable {
    static let shortestPause = Duration.seconds(1)
    /// The least change of the signal, in dB. That of a beacon that does not move varies by a few dB between reports.
    static let strengthChange = 6

    /// The properties whose change gets a line. For beacons with known frames this excludes the raw bytes: counters and
    /// sensors change with every frame, and frames alternate.
    private struct ShownState: Equatable {
        let isConnectable: Bool?
        let name: String?
        let mode: RunningProgram
        let version: String?
        let percent: Int?
        let numbers: Set<ProximityIdentity>
        let elements: Set<AdvertisingData.Element>

        init(_ sighting: BeaconSighting) {
            let identity = sighting.identity
            (isConnectable, name, mode) = (sighting.isConnectable, sighting.data.name, sighting.mode)
            (version, percent, numbers) = (identity.version, identity.charge.percent, Set(identity.numbers))
            elements = identity.frames.isEmpty ? Set(sighting.data.elements) : []
        }
    }

    /// The state of each beacon in its last line, and when that was printed.
    private var reported: [DeviceAddress: (moment: Duration, sighting: BeaconSighting)] = [:]

    /// Whether `sighting` gets a line at `moment`; if so, its current state counts as reported.
    mutating func isPrinted(_ sighting: BeaconSighting, at moment: Duration) -> Bool {
        if let before = reported[sighting.address] {
            guard moment - before.moment >= Self.shortestPause else { return false }
            guard Self.differ(before.sighting, sighting) else { return false }
        } else if reported.count >= SightingMemory.most {
            reported.removeAll()
        }
        reported[sighting.address] = (moment, sighting)
        return true
    }

    private static func differ(_ before: BeaconSighting, _ now: BeaconSighting) -> Bool {
        guard ShownState(before) == ShownState(now) else { return true }
        guard let old = before.rssi, let new = now.rssi else { return before.rssi != now.rssi }
        return abs(Int(old) - Int(new)) >= strengthChange
    }
}
