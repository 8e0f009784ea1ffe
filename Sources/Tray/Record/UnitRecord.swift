/// A unit of a tray: its identity and its attempts.
public struct UnitRecord: Hashable, Codable, Sendable {
    /// The slot's label, unique in a tray.
    public var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    public var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    public var address: String?
    /// The vendor's own id; nil if it is not known.
    public var identifier: String?
    /// The advertised name, as it came from the air.
    public var name: String?
    /// The vendor.
    public var vendor: String?
    /// The model.
    public var model: String?
    /// Signal strength, in dBm.
    public var rssi: Int?
    /// Whether it was the golden unit, which had to pass before the others started.
    public var isGolden = false
    /// All attempts, in their order.
    public var attempts: [AttemptRecord] = []
    /// Its final verdict; nil until it has one.
    public var verdict: UnitVerdict?

    /// A unit with only its slot and selector.
    public init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }
}

extension UnitRecord {
    /// Whether the first attempt that reflects the unit passed; for a unit without such an attempt, whether its verdict
    /// did. Nil if there is neither.
    public var passedFirst: Bool? {
        let first = attempts.compactMap(\.verdict).first { $0.outcome.isOfUnit }
        return (first ?? verdict.flatMap { $0.outcome.isOfUnit ? $0 : nil }).map { $0.outcome == .passed }
    }
}

/// How often a cause occurred, and where.
public struct CauseCount: Hashable, Sendable {
    /// The stable code.
    public let code: String
    /// The slots of the units that ended with it, in the tray's order.
    public let slots: [String]
    /// The number of attempts that ended with it, by adapter.
    public let adapters: [String: Int]
}

extension TrayRecord {
    /// The causes for units that are not on the right firmware, most frequent first, then by code. A unit without a
    /// code counts under its outcome.
    public var causes: [CauseCount] {
        var byCode: [String: [UnitRecord]] = [:]
        for unit in units {
            guard let verdict = unit.verdict, !verdict.outcome.isGood else { continue }
            byCode[verdict.code ?? verdict.outcome.rawValue, default: []].append(unit)
        }
        return byCode.map { code, units in
            let attempts = units.flatMap(\.attempts).filter { $0.verdict?.code == code }
            return CauseCount(
                code: code, slots: units.map(\.slot),
                adapters: Dictionary(attempts.map { ($0.adapter, 1) }, uniquingKeysWith: +))
        }
        .sorted { ($1.slots.count, $0.code) < ($0.slots.count, $1.code) }
    }
}
