import Postgres
public import WorkOrders

/// An order to be made.
public struct OrderPlan: Hashable, Sendable {
    /// The number that people know it by.
    public var number: String
    /// What its units get. The engine has it already.
    public var firmware: WorkFirmware
    /// How many units it has to become; nil where they are not counted.
    public var expected: Int?
    /// Whether its units are listed in advance; else each beacon that is claimed becomes one, up to `expected`.
    public var isListed: Bool
    /// So many units have to pass before the others begin; 0 for none.
    public var golden: Int
    /// So often may a unit fail before a person has to give it another try; from 1.
    public var attempts: Int
    /// When it is held.
    public var stopRule: StopRule

    /// A plan as described.
    public init(
        _ number: String, _ firmware: WorkFirmware, expected: Int? = nil, isListed: Bool, golden: Int = 0,
        attempts: Int = 1, stopRule: StopRule = StopRule()
    ) {
        self.number = number
        self.firmware = firmware
        self.expected = expected
        self.isListed = isListed
        self.golden = golden
        self.attempts = attempts
        self.stopRule = stopRule
    }
}

/// A unit to be listed.
public struct UnitPlan: Hashable, Sendable {
    /// The keys that it may be met under, the surest first: an address with its type, `id:` with the vendor's id.
    public var keys: [String]
    /// What a station finds it by; nil for the first key.
    public var selector: String?
    /// The label of its place.
    public var slot: String?

    /// A unit as described.
    public init(_ keys: [String], selector: String? = nil, slot: String? = nil) {
        (self.keys, self.selector, self.slot) = (keys, selector, slot)
    }
}

extension OrderPlan {
    /// What `create_order` gets.
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

extension [UnitPlan] {
    /// What `add_units` gets.
    func parameters(of number: String) -> [PostgresValue] {
        let keys = enumerated().flatMap { place, unit in unit.keys.map { (key: $0, of: place) } }
        return [
            .text(number), .array(keys.map(\.key)), .array(keys.map { "\($0.of)" }),
            .array(map(\.selector)), .array(map(\.slot)),
        ]
    }
}
