package import Work

package struct OrderPlan: Hashable, Sendable {
    package var number: String
    /// The firmware of the order's units. The work server must already have it.
    package var firmware: WorkFirmware
    /// The number of units that the order has to reach; nil if there is no such number.
    package var expected: Int?
    /// Whether the units are listed in advance. Otherwise each claimed beacon becomes a unit, up to `expected`.
    package var isListed: Bool
    /// The number of golden units, which have to pass before the others begin; 0 for none.
    package var golden: Int
    /// The number of attempts, from 1, after which a failed unit waits for a supervisor.
    package var attempts: Int
    package var stopRule: StopRule

    package init(
        _ number: String, _ firmware: WorkFirmware, expected: Int? = nil, isListed: Bool, golden: Int = 0,
        attempts: Int = 1, stopRule: StopRule = StopRule()
    ) {
        (self.number, self.firmware, self.expected, self.isListed) = (number, firmware, expected, isListed)
        (self.golden, self.attempts, self.stopRule) = (golden, attempts, stopRule)
    }

    var parameters: [PostgresValue] {
        var file: (name: String, sha256: String)?
        var catalogue: (version: Int64, withBeta: Bool)?
        switch firmware {
        case .file(let name, let sha256): file = (name, sha256)
        case .catalogue(let version, let withBeta): catalogue = (version, withBeta)
        case .ofTray: break
        }
        return [
            .text(number), .text(file?.name), .text(file?.sha256), .integer(catalogue?.version),
            .boolean(catalogue?.withBeta ?? false), .integer(expected.map { Int64($0) }),
            .boolean(isListed), .integer(Int64(golden)), .integer(Int64(attempts)), .text(stopRule.json),
        ]
    }
}

package struct UnitPlan: Hashable, Sendable {
    /// The unit's possible keys, the most reliable first: an address with its type, or `id:` with the vendor's id.
    package var keys: [String]
    /// The selector by which a station finds the unit; nil for the first key.
    package var selector: String?
    package var slot: String?

    package init(_ keys: [String], selector: String? = nil, slot: String? = nil) {
        (self.keys, self.selector, self.slot) = (keys, selector, slot)
    }
}

extension [UnitPlan] {
    func parameters(of number: String) -> [PostgresValue] {
        let keys = enumerated().flatMap { place, unit in unit.keys.map { (key: $0, of: place) } }
        return [
            .text(number), .array(keys.map(\.key)), .array(keys.map { "\($0.of)" }),
            .array(map(\.selector)), .array(map(\.slot)),
        ]
    }
}

/// The rule by which an order is held for a check. It counts the results since the order's last release.
package struct StopRule: Hashable, Sendable {
    /// This many units in a row have failed; nil for no such rule.
    package var consecutive: Int?
    /// This many of the last tried units have failed; nil for no such rule.
    package var share: Share?
    /// This many units have ended for the same reason; nil for no such rule.
    package var sameCause: Int?

    package struct Share: Hashable, Sendable {
        package var failures, ofLast: Int

        package init(_ failures: Int, ofLast: Int) { (self.failures, self.ofLast) = (failures, ofLast) }
    }

    package init(consecutive: Int? = nil, share: Share? = nil, sameCause: Int? = nil) {
        (self.consecutive, self.share, self.sameCause) = (consecutive, share, sameCause)
    }

    /// The rule as the work server reads it: a JSON object with numbers.
    var json: String {
        let members: [(String, Int?)] = [
            ("consecutive", consecutive), ("failures", share?.failures), ("of_last", share?.ofLast),
            ("same_cause", sameCause),
        ]
        let written = members.compactMap { name, number in number.map { "\"\(name)\":\($0)" } }
        return "{" + written.joined(separator: ",") + "}"
    }
}
