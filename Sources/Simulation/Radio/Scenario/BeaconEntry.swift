public import Bluetooth
public import Bytes

/// The entry of one beacon in a scenario file, each value with its position.
///
/// The keys that are read are the keys that exist: `checkKeys` refuses a key that was never read.
public struct BeaconEntry {
    /// The kind of beacon.
    public let kind: ScenarioKind
    /// The address of the beacon; for a Nordic beacon, of its application.
    public let address: DeviceAddress
    /// The keys read so far.
    private(set) var keys = ["kind", "address"]
    private let members: [YAMLValue.Member]
    private let value: YAMLValue?

    init(_ value: YAMLValue) throws(YAMLProblem) {
        self.value = value
        members = try value.members()
        let word = members.first { $0.key == "kind" }?.value
        kind = try word?.choice(of: ScenarioKind.named) ?? .secure
        guard let place = members.first(where: { $0.key == "address" }) else {
            throw value.problem("'address' is missing")
        }
        address = try place.value.address()
    }

    /// The entry of the beacon at `address`, read as another kind.
    private init(_ value: YAMLValue, of kinds: [ScenarioKind], at address: DeviceAddress) throws(YAMLProblem)
    {
        self.value = value
        self.address = address
        keys = ["kind"]
        members = try value.members()
        guard let word = members.first(where: { $0.key == "kind" })?.value else {
            throw value.problem("'kind' is missing")
        }
        kind = try word.choice(
            of: Dictionary(kinds.map { ($0.name, $0) }) { first, _ in first })
    }

    /// An empty entry.
    init(_ kind: ScenarioKind, at address: DeviceAddress) {
        self.kind = kind
        self.address = address
        members = []
        value = nil
    }

    /// An error about the entry as a whole.
    public func problem(_ message: String) -> YAMLProblem { value?.problem(message) ?? YAMLProblem(message) }

    /// The value of `key`, if it is given.
    public subscript(key: String) -> YAMLValue? {
        mutating get {
            keys.append(key)
            return members.first { $0.key == key }?.value
        }
    }

    /// The text of `key`.
    public mutating func text(_ key: String) throws(YAMLProblem) -> String? { try self[key]?.text() }

    /// The number of `key`.
    public mutating func number<T: FixedWidthInteger>(
        _ key: String, in range: ClosedRange<T> = T.min...T.max
    ) throws(YAMLProblem) -> T? {
        try self[key]?.number(in: range)
    }

    /// Whether `key` is true.
    public mutating func truth(_ key: String) throws(YAMLProblem) -> Bool? { try self[key]?.truth() }

    /// The value that the word at `key` stands for.
    public mutating func choice<Value>(_ key: String, of known: [String: Value]) throws(YAMLProblem) -> Value?
    {
        try self[key]?.choice(of: known)
    }

    /// How often a beacon advertises, in milliseconds (Vol 6, Part B, 4.4.2.2); nil if not given.
    mutating func advertisingInterval(_ key: String) throws(YAMLProblem) -> Duration? {
        try number(key, in: 20...10_240).map { (milliseconds: Int) in .milliseconds(milliseconds) }
    }

    /// How an application that advertises like a vendor's beacon does so.
    mutating func advertising() throws(YAMLProblem) -> AdvertisingPlan? {
        guard let value = self["advertises"] else { return nil }
        var entry = try BeaconEntry(value, of: ScenarioKind.advertisers, at: address)
        let read = entry.kind.read
        let beacon = try read(&entry) as? AdvertiserScenarioBeacon
        try entry.checkKeys()
        for member in entry.members where ["rssi", "information", "faults", "away_s"].contains(member.key) {
            throw member.place.problem("'\(member.key)' belongs next to 'advertises', not inside it")
        }
        return beacon?.description.plan
    }

    /// Refuses a key that was never read.
    func checkKeys() throws(YAMLProblem) {
        guard let member = members.first(where: { !keys.contains($0.key) }) else { return }
        guard ScenarioKind.all.contains(where: { $0.keys.contains(member.key) }) else {
            throw member.unknown(keys)
        }
        throw member.place.problem("a beacon of kind \(kind.name) has no \(member.key)")
    }
}

extension YAMLValue {
    /// The address of a beacon: random, unless it ends in `/public`.
    func address() throws(YAMLProblem) -> DeviceAddress {
        let words = try text()
        let parts = words.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = parts.count == 1 ? .random : DeviceAddress.Kind(rawValue: String(parts[1]))
        guard let kind, let address = DeviceAddress(parts[0], kind) else {
            throw problem("'\(words)' is not an address (example: F0:0D:BE:AC:01:00)")
        }
        return address
    }
}

extension Sequence where Element: RawRepresentable<String> {
    /// All elements by name.
    var named: [String: Element] { Dictionary(map { ($0.rawValue, $0) }) { first, _ in first } }
}
