public import Sessions

/// Settings of a KBeacon, some or all (kbeacon.md, Other parameters). What its maker does not name, or names other values for, is
/// kept as the beacon told it.
public struct KBeaconSettings: Sendable {
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
    /// What was not read, and why, by the beginning of the paths.
    public internal(set) var unread: [String: String] = [:]
    /// Where in their file values stand.
    var places: [Path: String] = [:]

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

    /// The keys of `entry`, or of those outside lists, of which there are values, in the order of the format; those that are not
    /// known come last.
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

    /// The key at `path`, where the maker names it.
    func key(at path: Path) -> KBeaconSettingKey? {
        generation.keys(of: path.entry?.list).first { $0.name == path.key }
    }

    /// The type of a trigger or a sensor.
    func type(of entry: Entry?) -> Int? {
        guard let entry, let key = generation.list(entry.list)?.typeKey else { return nil }
        return self[entry, key]?.integer
    }

    /// Whether the maker names what stands at `path`.
    public func isKnown(_ path: Path) -> Bool { key(at: path) != nil }

    /// What the value at `path` may be, where it is something else.
    public func rangeMissed(at path: Path) -> String? {
        guard let key = key(at: path), let value = values[path] else { return nil }
        let form = key.form(in: type(of: path.entry))
        return form.accepts(value) ? nil : form.range
    }
}

extension KBeaconSettings: Equatable {
    /// Whether both have the same values, wherever these come from.
    public static func == (one: KBeaconSettings, other: KBeaconSettings) -> Bool {
        one.generation == other.generation && one.values == other.values
    }
}

extension KBeaconSettings.Path: CustomStringConvertible {
    /// As in `advObj[0].advPrd`.
    public var description: String { entry.map { "\($0).\(key)" } ?? key }
}

extension KBeaconSettings.Entry: CustomStringConvertible {
    /// As in `advObj[0]`.
    public var description: String { "\(list)[\(number)]" }
}
