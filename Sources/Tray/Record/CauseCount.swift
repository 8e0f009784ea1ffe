/// How often something was the cause, and where.
public struct CauseCount: Hashable, Sendable {
    /// The stable code.
    public let code: String
    /// The slots whose units ended so, in the tray's order.
    public let slots: [String]
    /// How often with which adapter, by attempts.
    public let adapters: [String: Int]
}

extension TrayRecord {
    /// The causes of units that are not on the right firmware, the most frequent first, of equals by code. Where there is no
    /// code, the outcome stands for it.
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
