import UpdateModel

package struct UnitRecord: Hashable, Codable, Sendable {
    /// The slot's label, unique in a tray.
    package var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    package var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    package var address: String?
    package var identifier: String?
    /// The advertised name, as received.
    package var name: String?
    package var vendor, model: String?
    /// Signal strength, in dBm.
    package var rssi: Int?
    /// Whether the unit was the golden one, which had to pass before the others started.
    package var isGolden = false
    package var attempts: [AttemptRecord] = []
    package var verdict: UnitVerdict?

    package init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }

    mutating func takeIdentity(of other: UnitRecord) {
        (address, identifier, name) = (other.address, other.identifier, other.name)
        (vendor, model, rssi) = (other.vendor, other.model, other.rssi)
    }

    /// Whether the first attempt that reflects the unit passed, and no image was sent from its first byte more than
    /// once up to its end, not even because of a bench error. If no attempt reflects the unit, whether the unit's
    /// verdict is that it passed; nil if the verdict does not reflect the unit either.
    package var passedFirst: Bool? {
        let first = attempts.firstIndex { $0.verdict?.outcome.isOfUnit == true }
        let decisive = first.map { attempts.prefix($0 + 1) } ?? attempts[...]
        let outcome = first.flatMap { attempts[$0].verdict?.outcome } ?? verdict?.outcome
        guard let outcome, outcome.isOfUnit else { return nil }
        return outcome == .passed && decisive.timesSent <= 1
    }

    package static let firstPassMeaning =
        "First pass: passed in the first attempt, and the image was sent from its beginning only once. "
        + "A transfer that continued after a lost link was sent once; errors of the bench do not count as attempts."
}

extension [UnitRecord] {
    /// The places of the units by their slots.
    var places: [String: Int] {
        Dictionary(enumerated().map { ($1.slot, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension Sequence<AttemptRecord> {
    /// How often firmware was sent from its first byte, in all these attempts; with several parts, how often the most
    /// frequent part was.
    package var timesSent: Int {
        var times: [Int: Int] = [:]
        for attempt in self {
            for first in attempt.sentFrom ?? [] { times[first, default: 0] += 1 }
            // A record from a file may hold any number: the sum must not overflow.
            if attempt.sentFrom == nil { times[0, default: 0] += Swift.min(attempt.timesSent ?? 0, 1 << 32) }
        }
        return times.values.max() ?? 0
    }
}

package struct CauseCount: Hashable, Sendable {
    package let code: String
    /// The slots of the units that ended with this code, in the tray's order.
    package let slots: [String]
    /// The number of attempts of these units that ended with this code, by adapter.
    package let adapters: [String: Int]
}

extension TrayRecord {
    /// Why units are not on the right firmware: the most frequent cause first, then by code. A unit without a code
    /// counts under its outcome.
    package var causes: [CauseCount] {
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
