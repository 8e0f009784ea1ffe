import Bluetooth
import CommandKit
import Firmware
import UpdateModel

/// Decides which changes of a beacon get a line: it appeared, its data changed, or its signal became stronger or
/// weaker; at most one line a second for each beacon.
struct Watch: Sendable {
    static let shortestPause = Duration.seconds(1)
    /// In dB. The signal of a beacon that does not move varies by a few dB between reports.
    static let movement = 6

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

    /// What the last line about each beacon was about, and when it was printed.
    private var reported: [DeviceAddress: (moment: Duration, sighting: BeaconSighting)] = [:]

    /// Whether `sighting` gets a line at `moment`; if so, its current state counts as reported.
    mutating func isNews(_ sighting: BeaconSighting, at moment: Duration) -> Bool {
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
        return abs(Int(old) - Int(new)) >= movement
    }
}

/// The state of the live table of `scan --watch` that keys change: the order of rows, a filter, and whether the table
/// stands still.
struct WatchKeys: Sendable {
    private(set) var order: SightingOrder
    /// Words; only beacons are shown whose address, name, kind or maker contain all of them.
    private(set) var filter = ""
    private(set) var isTyping = false
    private(set) var isPaused = false
    /// Whether the list of keys is shown instead of the table.
    private(set) var isListing = false

    /// Handles `key`; returns true if it ends the watch.
    mutating func press(_ key: TerminalKey) -> Bool {
        if isTyping {
            type(key)
        } else if isListing, key != .character("q") {
            isListing = false
        } else {
            switch key {
            case .character("q"): return true
            case .character("s"): order = order.next
            case .character("f"), .character("/"): isTyping = true
            case .character(" "): isPaused.toggle()
            case .character("?"): isListing = true
            case .escape: filter = ""
            default: break
            }
        }
        return false
    }

    private mutating func type(_ key: TerminalKey) {
        switch key {
        case .enter: isTyping = false
        case .escape: (filter, isTyping) = ("", false)
        case .backspace: _ = filter.popLast()
        case .character(let character): filter.append(character)
        default: break
        }
    }

    /// Whether `beacon` contains all words of the filter, ignoring case.
    func passes(_ beacon: BeaconSighting) -> Bool {
        let texts = [
            beacon.address.description, beacon.data.name ?? "", beacon.kind,
            beacon.identity.maker?.title ?? "",
        ].map { $0.lowercased() }
        return filter.lowercased().split(separator: " ").allSatisfy { word in
            texts.contains { $0.contains(word) }
        }
    }

    var help: String {
        guard !isTyping else { return "filter: \(filter)_  Enter keeps it, Escape removes it" }
        return (isPaused ? "paused, space continues" : "space pauses")
            + ", q ends, s sorts (now: \(order.rawValue)), "
            + (filter.isEmpty ? "f filters" : "f filters (now: \(filter); Escape removes it)")
            + ", ? lists keys"
    }

    /// All keys, in lines of at most 78 cells.
    static let list = [
        "space   stops the table, and lets it go on; beacons are heard all the time",
        "s       changes the order: \(SightingOrder.allCases.map(\.rawValue).joined(separator: ", "))",
        "f or /  filters by words of address, name, kind and maker; Enter ends typing",
        "Escape  removes the filter", "q       ends, and prints the table", "any other key shows the table",
    ]
}

extension SightingOrder {
    /// The next order, cyclically.
    fileprivate var next: SightingOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
