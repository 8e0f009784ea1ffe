public import Sessions

/// Settings of a KBeacon, some or all (kbeacon.md, Settings).
public struct KBeaconSettings: Equatable, Sendable {
    /// Where a value stands.
    public struct Path: Hashable, Sendable {
        /// The list in which it is, and the number of its entry there; nil outside lists.
        public let entry: Entry?
        /// Its key.
        public let key: String
    }

    /// An entry of a list.
    public struct Entry: Hashable, Sendable {
        /// The list's key.
        public let list: String
        /// By what the list's entries are told apart: a slot, a trigger, a kind of sensor.
        public let number: Int
    }

    /// Whose words they are in.
    public let generation: KBeaconGeneration
    /// The values.
    public internal(set) var values: [Path: SettingValue]

    init(_ generation: KBeaconGeneration, _ values: [Path: SettingValue] = [:]) {
        (self.generation, self.values) = (generation, values)
    }

    /// The entries that there are, in the order of the lists.
    var entries: [Entry] {
        let numbers = Dictionary(grouping: Set(values.keys.compactMap(\.entry)), by: \.list)
        return generation.settingLists.flatMap { list in
            (numbers[list.name] ?? []).sorted { $0.number < $1.number }
        }
    }

    /// The keys of `entry`, or of those outside lists, of which there are values.
    func keys(of entry: Entry?) -> [KBeaconSettingKey] {
        let all = entry.map { generation.keys(of: $0.list) } ?? generation.settingKeys
        return all.filter { values[Path(entry: entry, key: $0.name)] != nil }
    }

    /// The paths, in the order of the format.
    public var paths: [Path] {
        ([nil] + entries.map(Optional.some)).flatMap { entry in
            keys(of: entry).map { Path(entry: entry, key: $0.name) }
        }
    }

    subscript(entry: Entry?, key: String) -> SettingValue? {
        values[Path(entry: entry, key: key)]
    }
}

extension KBeaconSettings.Path: CustomStringConvertible {
    /// As in `advObj[0].advPrd`.
    public var description: String { entry.map { "\($0.list)[\($0.number)].\(key)" } ?? key }
}

extension KBeaconGeneration {
    func keys(of list: String) -> [KBeaconSettingKey] {
        settingLists.first { $0.name == list }?.allKeys ?? []
    }
}
