import Bluetooth
import CommandKit
import Identity

/// The state of the live table of `scan --watch` that keys change: the order of rows, and a filter.
struct WatchKeys: Sendable {
    /// The order of the rows.
    private(set) var order: SightingOrder
    /// Words; only beacons are shown whose address, name, kind or maker contain all of them.
    private(set) var filter = ""
    /// Whether the filter is being typed.
    private(set) var isTyping = false

    init(order: SightingOrder) { self.order = order }

    /// Handles `key`; returns true if it ends the watch.
    mutating func press(_ key: BoardKey) -> Bool {
        guard isTyping else {
            switch key {
            case .character("q"): return true
            case .character("s"): order = order.next
            case .character("/"): isTyping = true
            case .escape: filter = ""
            default: break
            }
            return false
        }
        switch key {
        case .enter: isTyping = false
        case .escape: (filter, isTyping) = ("", false)
        case .backspace: _ = filter.popLast()
        case .character(let character): filter.append(character)
        default: break
        }
        return false
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

    /// The line below the table.
    var help: String {
        guard !isTyping else { return "filter: \(filter)_  Enter keeps it, Escape removes it" }
        return "q ends, s sorts (now: \(order.rawValue)), / filters"
            + (filter.isEmpty ? "" : " (now: \(filter); Escape removes it)")
    }
}

extension SightingOrder {
    /// The next order, cyclically.
    fileprivate var next: SightingOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
