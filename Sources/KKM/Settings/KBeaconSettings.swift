public import UpdateModel

/// Settings of a KBeacon, some or all (kbeacon.md, Other parameters). Keys and values that the maker does not
/// document are kept as the beacon reported them.
public struct KBeaconSettings: Sendable {
    /// The path of a value.
    public struct Path: Hashable, Sendable {
        /// The list and the number of its entry; nil outside lists.
        public let entry: Entry?
        /// Its key.
        public let key: String
    }

    /// An entry of a list.
    public struct Entry: Hashable, Sendable {
        /// The list's key.
        public let list: String
        /// The number that identifies the entry: a slot, a trigger, a kind of sensor.
        public let number: Int
    }

    /// The generation whose keys they use.
    public let generation: KBeaconGeneration
    /// The values.
    public internal(set) var values: [Path: SettingValue]
    /// What was not read, with the reason, by path prefix.
    public internal(set) var unread: [String: String] = [:]
    /// The position of each value in its file.
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

    /// The paths, in the order of the format.
    public var paths: [Path] {
        ([nil] + entries.map(Optional.some)).flatMap { entry in
            keys(of: entry).map { Path(entry: entry, key: $0) }
        }
    }

    subscript(entry: Entry?, key: String) -> SettingValue? {
        values[Path(entry: entry, key: key)]
    }

    /// The key at `path`, if the maker documents it.
    func key(at path: Path) -> KBeaconSettingKey? {
        generation.keys(of: path.entry?.list).first { $0.name == path.key }
    }

    /// The type of a trigger or a sensor.
    func type(of entry: Entry?) -> Int? {
        guard let entry, let key = generation.list(entry.list)?.typeKey else { return nil }
        return self[entry, key]?.integer
    }

    /// Whether the maker documents the key at `path`.
    public func isKnown(_ path: Path) -> Bool { key(at: path) != nil }

    /// The allowed values at `path`, if its value is another one.
    public func rangeMissed(at path: Path) -> String? {
        guard let key = key(at: path), let value = values[path] else { return nil }
        let form = key.form(in: type(of: path.entry))
        return form.accepts(value) ? nil : form.range
    }
}

extension KBeaconSettings: Equatable {
    /// Whether both have the same values, regardless of their positions.
    public static func == (one: KBeaconSettings, other: KBeaconSettings) -> Bool {
        one.generation == other.generation && one.values == other.values
    }
}

extension KBeaconSettings.Path: CustomStringConvertible {
    /// For example `advObj[0].advPrd`.
    public var description: String { entry.map { "\($0).\(key)" } ?? key }
}

extension KBeaconSettings.Entry: CustomStringConvertible {
    /// For example `advObj[0]`.
    public var description: String { "\(list)[\(number)]" }
}
