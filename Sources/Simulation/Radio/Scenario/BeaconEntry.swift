public import Bluetooth
public import Bytes

/// The entry of one beacon in a scenario file, each value with its position.
///
/// The keys that are read are the keys that exist: `checkKeys` refuses a key that was never read.
public struct BeaconEntry {
    public let kind: ScenarioKind
    /// The address of the beacon; the application's, if the bootloader has another one.
    public let address: DeviceAddress
    /// The keys read so far.
    private(set) var keys = ["kind", "address"]
    private let members: [YAMLValue.Member]
    private let value: YAMLValue?

    init(_ value: YAMLValue) throws(YAMLProblem) {
        self.value = value
        members = try value.members()
        let word = members.first { $0.key == "kind" }?.value
        kind = try word?.choice(of: ScenarioKind.named) ?? .default
        guard let place = members.first(where: { $0.key == "address" }) else {
            throw value.problem("'address' is missing")
        }
        address = try place.value.address()
    }

    /// The entry of the beacon at `address`, read as another kind.
    private init(_ value: YAMLValue, of kinds: [ScenarioKind], at address: DeviceAddress) throws(YAMLProblem)
    {
        (self.value, self.address, keys) = (value, address, ["kind"])
        members = try value.members()
        guard let word = members.first(where: { $0.key == "kind" })?.value else {
            throw value.problem("'kind' is missing")
        }
        kind = try word.choice(of: Dictionary(kinds.map { ($0.name, $0) }) { first, _ in first })
    }

    init(_ kind: ScenarioKind, at address: DeviceAddress) {
        (self.kind, self.address, members, value) = (kind, address, [], nil)
    }

    public func problem(_ message: String) -> YAMLProblem { value?.problem(message) ?? YAMLProblem(message) }

    public subscript(key: String) -> YAMLValue? {
        mutating get {
            keys.append(key)
            return members.first { $0.key == key }?.value
        }
    }

    public mutating func text(_ key: String) throws(YAMLProblem) -> String? { try self[key]?.text() }

    public mutating func number<T: FixedWidthInteger>(
        _ key: String, in range: ClosedRange<T> = T.min...T.max
    ) throws(YAMLProblem) -> T? {
        try self[key]?.number(in: range)
    }

    public mutating func truth(_ key: String) throws(YAMLProblem) -> Bool? { try self[key]?.truth() }

    public mutating func choice<Value>(_ key: String, of known: [String: Value]) throws(YAMLProblem) -> Value?
    {
        try self[key]?.choice(of: known)
    }

    /// A beacon's advertising interval, given in milliseconds (Vol 6, Part B, 4.4.2.2); nil if not given.
    mutating func advertisingInterval(_ key: String) throws(YAMLProblem) -> Duration? {
        try number(key, in: 20...10_240).map { (milliseconds: Int) in .milliseconds(milliseconds) }
    }

    mutating func pin() throws(YAMLProblem) -> String? {
        guard let value = self["pin"] else { return nil }
        let digits = try value.text()
        guard [4, 6].contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw value.problem("a PIN must have 4 or 6 digits, in quotes: '0000'")
        }
        return digits
    }

    /// The plan of an application that advertises like a vendor's beacon; nil if not given.
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
    /// The case that this text names.
    func choice<Value: RawRepresentable<String> & CaseIterable>() throws(YAMLProblem) -> Value {
        try choice(of: Value.allCases.named)
    }

    /// The address of a beacon: random, unless it ends in `/public`.
    func address() throws(YAMLProblem) -> DeviceAddress {
        let words = try text()
        guard let address = DeviceAddress.named(by: words).first else {
            throw problem("'\(words)' is not an address (example: F0:0D:BE:AC:01:00)")
        }
        return address
    }
}

extension Sequence where Element: RawRepresentable<String> {
    var named: [String: Element] { Dictionary(map { ($0.rawValue, $0) }) { first, _ in first } }
}

public struct NamedFault: Sendable {
    let range: ClosedRange<Int>
    let make: @Sendable (Int) -> Fault

    /// A fault that `make` creates from a number in `range`. Most of these numbers count something from 1.
    public init(range: ClosedRange<Int> = 1...Int(Int32.max), make: @escaping @Sendable (Int) -> Fault) {
        (self.range, self.make) = (range, make)
    }
}

extension BeaconEntry {
    public mutating func faults() throws(YAMLProblem) -> [Fault] {
        let known = Self.common.merging(Self.attributeFaults) { $1 }.merging(kind.faults) { $1 }
        var list: [Fault] = []
        for entry in try self["faults"]?.list() ?? [] {
            let members = try entry.members()
            guard let member = members.first, members.count == 1 else {
                throw entry.problem("an entry of faults needs exactly one fault")
            }
            guard let fault = known[member.key] else {
                guard ScenarioKind.all.contains(where: { $0.faults[member.key] != nil }) else {
                    throw member.unknown(known.keys.sorted())
                }
                throw member.place.problem("a beacon of kind \(kind.name) has no fault '\(member.key)'")
            }
            list.append(fault.make(try member.value.number(in: fault.range)))
        }
        let moments = try self["away_s"]?.moments() ?? []
        for start in stride(from: 0, to: moments.count, by: 2) {
            list.append(.away(from: moments[start], until: moments.dropFirst(start + 1).first))
        }
        return list
    }

    private static let common: [String: NamedFault] = [
        "cut_before_packet": NamedFault { .cut(beforePacket: $0) },
        "cut_after_packet": NamedFault { .cut(afterPacket: $0) },
        "lose_packet": NamedFault { .losePacket($0) },
        "lose_packets_percent": NamedFault(range: 1...99) { .losePackets(percent: $0) },
        "lose_packets_within_us": NamedFault { .loseQuickPackets(within: .microseconds($0)) },
        "lose_notification": NamedFault { .loseNotification($0) },
        "double_notification": NamedFault { .doubleNotification($0) },
        "delay_notification": NamedFault { .delayNotification($0, by: .seconds(15)) },
        "reorder_notification": NamedFault { .reorderNotification($0) },
        "power_loss_after_packet": NamedFault { .powerLoss(afterPacket: $0) },
        "lose_flash_write": NamedFault { .loseFlashWrite($0) },
        "slow_bootloader_ms": NamedFault { .slowBootloader(.milliseconds($0)) },
        "silence_from_packet": NamedFault { .silence(fromPacket: $0) },
    ]

    /// Injected faults of the Attribute Protocol (docs/scenarios.md, Protocol violations).
    static let attributeFaults: [String: NamedFault] = [
        "answer_mtu": attributeFault(0...0xFFFF) { .mtu(UInt16(clamping: $0)) },
        "list_handles": attributeFault(0...0xFFFF) { .listHandles(UInt16(clamping: $0)) },
        "entry_length": attributeFault(0...0xFF) { .entryLength(UInt8(clamping: $0)) },
        "refuse_requests": attributeFault(0...0xFF) { .refusals(UInt8(clamping: $0)) },
        "late_answers_ms": attributeFault(0...Int(Int32.max)) { .lateAnswers(.milliseconds($0)) },
    ].merging(
        faultsFromPacket.mapValues { fault in NamedFault { .attributeFault(fault, fromPacket: $0) } }
    ) { $1 }

    private static func attributeFault(
        _ range: ClosedRange<Int>, _ make: @escaping @Sendable (Int) -> AttributeFault
    ) -> NamedFault {
        NamedFault(range: range) { .attributeFault(make($0), fromPacket: 1) }
    }

    /// Faults whose number is the first packet that they affect.
    private static let faultsFromPacket: [String: AttributeFault] = [
        "short_answers": .shortAnswers, "long_answers": .longAnswers, "wrong_opcodes": .wrongOpcodes,
        "double_answers": .doubleAnswers, "unasked_answers": .unaskedAnswers,
        "foreign_errors": .foreignErrors, "only_foreign_errors": .onlyForeignErrors,
        "endless_values": .endlessValues, "many_services": .manyServices, "many_attributes": .manyAttributes,
        "one_entry_an_answer": .oneEntryAnAnswer, "equal_uuids": .equalUUIDs, "backward_lists": .backwards,
        "strange_notifications": .strangeNotifications, "senseless_notifications": .senselessNotifications,
        "flood_of_indications": .indications, "flood_of_requests": .requests,
    ]
}
