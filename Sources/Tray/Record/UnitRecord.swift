package import UpdateModel

package struct UnitRecord: Hashable, Codable, Sendable {
    /// The slot's label, unique in a tray.
    package var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    package var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    package var address: String?
    package var identifier: String?
    /// The advertised name, as it came from the air.
    package var name: String?
    package var vendor, model: String?
    /// Signal strength, in dBm.
    package var rssi: Int?
    /// Whether it was the golden unit, which had to pass before the others started.
    package var isGolden = false
    package var attempts: [AttemptRecord] = []
    package var verdict: UnitVerdict?

    package init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }

    mutating func takeIdentity(of other: UnitRecord) {
        (address, identifier, name) = (other.address, other.identifier, other.name)
        (vendor, model, rssi) = (other.vendor, other.model, other.rssi)
    }

    /// Whether the first attempt that reflects the unit passed, and no image was sent from its first byte more than once
    /// until then, even if errors of the bench were the reason; for a unit without such an attempt, whether its verdict
    /// is that it passed. Nil if there is neither.
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
    /// How often firmware was sent from its first byte, in all these attempts; of an update with several
    /// parts, the most for one of them.
    package var timesSent: Int {
        var times: [Int: Int] = [:]
        for attempt in self {
            for first in attempt.sentFrom ?? [] { times[first, default: 0] += 1 }
            // A record that was read may hold any number.
            if attempt.sentFrom == nil { times[0, default: 0] += Swift.min(attempt.timesSent ?? 0, 1 << 32) }
        }
        return times.values.max() ?? 0
    }
}

package struct CauseCount: Hashable, Sendable {
    package let code: String
    /// The slots of the units that ended with it, in the tray's order.
    package let slots: [String]
    /// The number of attempts that ended with it, by adapter.
    package let adapters: [String: Int]
}

extension TrayRecord {
    /// The causes for units that are not on the right firmware, most frequent first, then by code. A unit without a
    /// code counts under its outcome.
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

package struct UnitVerdict: Hashable, Codable, Sendable {
    package var outcome: Outcome
    package var code, during, message, nextStep: String?
    /// The unit's state, if `outcome` alone does not define it.
    package var state: UnitState?

    package init(
        _ outcome: Outcome, code: FailureCode? = nil, during: String? = nil, message: String? = nil,
        nextStep: String? = nil, state: UnitState? = nil
    ) {
        self.outcome = outcome
        self.code = code?.rawValue
        (self.during, self.message, self.nextStep, self.state) = (during, message, nextStep, state)
    }

    var cause: FailureCode { FailureCode(named: code ?? "unknown") }

    package var reason: String { [code, message].compactMap(\.self).joined(separator: ": ") }

    /// The cause, if it counts against the unit.
    var failure: FailureCode? { outcome.isOfUnit && outcome != .passed ? cause : nil }
}

/// The state of a unit whose update did not end normally, as far as it is known.
package struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    package var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    package var address: String
    /// The state of its application: `intact`, `gone`, `new` or `unknown`.
    package var application: String
    /// The same in one line of text.
    package var words: String

    package init(program: String, address: String, application: String, words: String) {
        (self.program, self.address, self.application, self.words) = (program, address, application, words)
    }
}

package enum Outcome: String, CaseIterable, Codable, Sendable {
    /// It runs the new firmware, as read from it.
    case passed
    case failed
    /// The bench failed. It is independent of the unit.
    case error
    /// It already ran that firmware.
    case notNeeded = "not-needed"
    case skipped
    /// The run ended before it was done.
    case aborted
    /// Whether it runs the new firmware could not be determined.
    case unknown

    /// A letter that distinguishes outcomes without colours.
    package var letter: Character { Character(rawValue.prefix(1).uppercased()) }

    package var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether it reflects the unit, so that it counts in a yield.
    package var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
