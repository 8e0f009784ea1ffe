import Bluetooth
import CommandKit
import Firmware
import UpdateModel

/// What keys change in the live table of `scan --watch`: the order of rows, a filter, and whether the table is paused.
struct WatchKeys: Sendable {
    private(set) var order: SightingOrder
    /// Words that the address, name, kind or maker of a shown beacon contain.
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
        "space   pauses the table, and continues it; the scan is not paused",
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
