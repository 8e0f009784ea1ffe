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
