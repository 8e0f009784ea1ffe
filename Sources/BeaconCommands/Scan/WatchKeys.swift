import BeaconIdentity
import BluetoothTypes
import Radio

/// What a person has typed at the live table of `scan --watch`: the order of its rows, and words that they have.
struct WatchKeys: Sendable {
    /// The order of the rows.
    private(set) var order: SightingOrder
    /// Shown are beacons whose address, name, kind or maker have all of its words.
    private(set) var filter = ""
    /// Whether the filter is being typed.
    private(set) var isTyping = false

    init(order: SightingOrder) { self.order = order }

    /// Takes `key`; true where it ends the watch.
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

    /// Whether `beacon` has all words of the filter, in capitals or not.
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
    /// The one after it, and the first after the last.
    fileprivate var next: SightingOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
