import Bytes
package import UpdateModel

/// Settings of a KBeacon, some or all (kbeacon.md, Other parameters). Keys and values that the maker does not
/// document are kept as the beacon reported them.
package struct KBeaconSettings: Sendable, Equatable {
    package struct Path: Hashable, Sendable, CustomStringConvertible {
        /// The list and the number of its entry; nil outside lists.
        package let entry: Entry?
        package let key: String

        /// For example `advObj[0].advPrd`.
        package var description: String { entry.map { "\($0).\(key)" } ?? key }
    }

    package struct Entry: Hashable, Sendable, CustomStringConvertible {
        package let list: String
        /// The number that identifies the entry: a slot, a trigger, a kind of sensor.
        package let number: Int

        /// For example `advObj[0]`.
        package var description: String { "\(list)[\(number)]" }
    }

    /// The generation that uses these keys.
    package let generation: KBeaconGeneration
    package internal(set) var values: [Path: SettingValue]
    /// Why settings were not read, by the beginning of their paths, such as `srObj`.
    package internal(set) var unread: [String: String] = [:]
    /// The position of each value in the settings file; empty for values that a beacon reported.
    var places: [Path: String] = [:]

    init(_ generation: KBeaconGeneration, _ values: [Path: SettingValue] = [:]) {
        (self.generation, self.values) = (generation, values)
    }

    /// The entries, in the order of the lists.
    var entries: [Entry] {
        let numbers = Dictionary(grouping: Set(values.keys.compactMap(\.entry)), by: \.list)
        return generation.settingLists.flatMap { list in
            (numbers[list.name] ?? []).sorted { $0.number < $1.number }
        }
    }

    /// The keys with values in `entry`, or outside lists, in the order of the format; unknown ones come last.
    func keys(of entry: Entry?) -> [String] {
        let known = generation.keys(of: entry?.list).map(\.name)
        let others = values.keys.filter { $0.entry == entry && !known.contains($0.key) }.map(\.key)
        return known.filter { self[entry, $0] != nil } + others.sorted()
    }

    package var paths: [Path] {
        ([nil] + entries.map(Optional.some)).flatMap { entry in
            keys(of: entry).map { Path(entry: entry, key: $0) }
        }
    }

    subscript(entry: Entry?, key: String) -> SettingValue? { values[Path(entry: entry, key: key)] }

    func key(at path: Path) -> KBeaconSettingKey? {
        generation.keys(of: path.entry?.list).first { $0.name == path.key }
    }

    func type(of entry: Entry?) -> Int? {
        guard let entry, let key = generation.list(entry.list)?.typeKey else { return nil }
        return self[entry, key]?.integer
    }

    package func isKnown(_ path: Path) -> Bool { key(at: path) != nil }

    /// The allowed values at `path`, in words; nil if its value is allowed, absent, or of an unknown key.
    package func rangeMissed(at path: Path) -> String? {
        guard let key = key(at: path), let value = values[path] else { return nil }
        let form = key.form(in: type(of: path.entry))
        return form.accepts(value) ? nil : form.range
    }

    /// Whether both have the same values, whatever their positions in files.
    package static func == (one: KBeaconSettings, other: KBeaconSettings) -> Bool {
        one.generation == other.generation && one.values == other.values
    }
}

extension KBeaconSettings {
    /// Adds the settings in an answer; returns false if that is not a JSON object.
    mutating func add(answer: some Collection<UInt8>) -> Bool {
        guard let members = JSONValue.members(inAnswer: answer) else { return false }
        let lists = generation.settingLists
        add(
            members.filter { name, _ in
                !KBeaconGeneration.nonSettings.contains(name) && !lists.contains { $0.name == name }
            }, in: nil)
        for list in lists { if let value = members[list.name] { add(value, as: list) } }
        return true
    }

    private mutating func add(_ value: JSONValue, as list: KBeaconSettingList) {
        let place = Path(entry: nil, key: list.name)
        guard case .list(let objects) = value else {
            values[place] = SettingValue(value)
            return
        }
        var others: [JSONValue] = []
        var numbers: Set<Int> = []
        for object in objects {
            guard case .object(let members) = object,
                let number = members[list.identity.name].map({ SettingValue($0, list.identity) })?.integer,
                numbers.insert(number).inserted
            else {
                others.append(object)
                continue
            }
            add(
                members.filter { $0.key != KBeaconGeneration.password },
                in: Entry(list: list.name, number: number))
        }
        // Elements of a list that are not entries are kept as JSON.
        guard !others.isEmpty else { return }
        if case .list(let earlier)? = values[place]?.tree { others = earlier + others }
        values[place] = SettingValue(.list(others))
    }

    private mutating func add(_ members: [String: JSONValue], in entry: Entry?) {
        for (name, value) in members {
            let path = Path(entry: entry, key: name)
            values[path] = key(at: path).map { SettingValue(value, $0) } ?? SettingValue(value)
        }
    }
}

extension KBeaconSettings: DeviceSettings {
    package typealias Peer = KBeaconQuery.Peer
    typealias Difference = SettingDifference<Path>

    package static func reading(of peer: Peer) -> MappedDialogue<KBeaconExchanges, KBeaconSettings> {
        let queries = queries(to: peer)
        let subjects = queries.map { $0.subject }
        let exchanges = KBeaconExchanges(queries.map { $0.part })
        return MappedDialogue(exchanges) { (answers) throws(SessionFailure) in
            var settings = KBeaconSettings(peer.identity.generation)
            for (answer, subject) in zip(answers, subjects) {
                guard let answer else {
                    settings.unread[subject] = "the beacon refused the query"
                    continue
                }
                guard settings.add(answer: answer) else {
                    throw SessionFailure(
                        .session.answerMalformed, during: "reading the settings",
                        "the answer of \(answer.count) bytes is not a JSON object, or has more than 24 levels"
                    )
                }
            }
            return settings
        }
    }

    private static let step = "comparing the settings"

    package func check(against peer: Peer) throws(SessionFailure) {
        let identity = peer.identity
        guard generation == identity.generation else {
            throw SessionFailure(
                .session.settingsForOthers, during: Self.step,
                "the settings are for beacons of generation \(generation.rawValue), but this one is of "
                    + "generation \(identity.generation.rawValue)")
        }
    }

    /// Throws if one of the `changes` is not allowed by the maker's documentation for its key, or not supported
    /// by `peer`. Values that stay as in `found` are not checked.
    package func check(
        _ changes: [SettingDifference<Path>], to found: KBeaconSettings, of peer: Peer
    ) throws(SessionFailure) {
        let after = merged(with: found)
        for change in changes {
            let path = change.path
            guard let key = after.key(at: path) else { continue }
            func failure(_ words: String) -> SessionFailure {
                let place = places[path].map { "\($0): " } ?? ""
                return SessionFailure(
                    .session.settingOutOfRange, during: Self.step, "\(place)\(path) \(words)")
            }
            guard !key.isReadOnly else { throw failure("is fixed in the beacon and cannot be set") }
            if let range = after.rangeMissed(at: path) {
                throw failure("is \(change.wanted), but must be \(range)")
            }
            guard key.form == .power, let power = peer.identity.power,
                let value = change.wanted.integer, !power.contains(value)
            else { continue }
            throw failure(
                "is \(value) dBm, but the beacon supports \(power.lowerBound) to \(power.upperBound) dBm")
        }
    }

    /// The ways to reach the beacon that exist with the settings `found`, and that these settings would end.
    package func lockOuts(of found: KBeaconSettings) -> [LockOut] {
        let after = merged(with: found)
        let checks: [(LockOut, (KBeaconSettings) -> Bool)] = [
            (.notConnectable, \.isConnectable), (.alwaysOff, \.advertisesAfterPowerUp),
            (.noLegacyAdverts, \.isHeardByAllAdapters),
        ]
        let lost = checks.filter { $0.1(found) && !$0.1(after) }.map(\.0)
        return after.silencedSlots.subtracting(found.silencedSlots).isEmpty ? lost : lost + [.allChannelsOff]
    }

    private func merged(with found: KBeaconSettings) -> KBeaconSettings {
        KBeaconSettings(generation, found.values.merging(values) { $1 })
    }

    /// Whether at least one of its advertisements is connectable; unknown values count as yes.
    private var isConnectable: Bool {
        guard generation == .second else { return hasFlag(1) }
        let slots = advertisements
        return slots.isEmpty || !connectable.isEmpty
    }

    /// Whether the beacon advertises without a trigger, even after its battery was changed.
    private var advertisesAfterPowerUp: Bool {
        guard generation == .second else {
            return self[nil, "type"] != .number(0) && hasFlag(4)
                && !entries.contains(where: advertisesOnlyOnTrigger)
        }
        let hasSlots = entries.contains { $0.list == "advObj" }
        return self[nil, "atPwr"] != .number(0) && (!hasSlots || !advertisements.isEmpty)
    }

    /// Whether one of the connectable advertisements is legacy, so that any adapter hears it; true if there are none.
    private var isHeardByAllAdapters: Bool {
        let slots = connectable
        return slots.isEmpty || slots.contains { self[$0, "mode"] ?? .number(0) == .number(0) }
    }

    private func hasFlag(_ bit: Int) -> Bool { self[nil, "advFlag"]?.integer.map { $0 & bit != 0 } ?? true }

    /// Whether a trigger lets a first-generation beacon advertise only after it fires, or not at all.
    private func advertisesOnlyOnTrigger(_ entry: Entry) -> Bool {
        guard entry.list == "trObj", let action = self[entry, "trAct"]?.integer, action & 1 != 0 else {
            return false
        }
        return [.number(0), .number(4)].contains(self[entry, "trAMode"])
    }

    /// The slots that advertise something, and not only after a trigger fires.
    private var advertisements: [Entry] {
        let silenced = silencedSlots
        return entries.filter {
            $0.list == "advObj" && self[$0, "type"] != .number(0) && self[$0, "trAdv"] != .number(1)
                && !silenced.contains($0)
        }
    }

    private var connectable: [Entry] { advertisements.filter { self[$0, "conn"] != .number(0) } }

    /// The slots for which all three advertising channels are switched off.
    private var silencedSlots: Set<Entry> {
        Set(entries.filter { $0.list == "advObj" && (self[$0, "chMsk"]?.integer ?? 0) & 7 == 7 })
    }
}
