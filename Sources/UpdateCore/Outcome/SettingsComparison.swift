public import Sessions

/// What an application says of its settings.
public struct ReportedSettings: Equatable, Sendable {
    /// The values, by name.
    public var values: [String: SettingValue] = [:]
    /// The names that its maker does not name.
    public var unknown: Set<String> = []
    /// What it did not tell, and why, by the beginning of the names.
    public var unread: [String: String] = [:]

    /// Nothing was told.
    public init() {}

    /// Everything that `settings` has.
    public init(_ settings: some DeviceSettings) {
        for path in settings.paths {
            values["\(path)"] = settings.values[path]
            if !settings.isKnown(path) { unknown.insert("\(path)") }
        }
        unread = settings.unread
    }
}

/// Settings before an update and after it, one by one.
public struct SettingsComparison: Equatable, Sendable {
    /// A setting that was there before.
    public struct Row: Equatable, Sendable {
        /// What it is called.
        public let name: String
        /// Its value before.
        public let before: SettingValue
        /// Its value after; nil where it is gone.
        public let after: SettingValue?
        /// Whether its maker names it.
        public let isKnown: Bool
        /// Whether it is as it was.
        public var isKept: Bool { before == after }
    }

    /// What could not be compared.
    public struct Gap: Equatable, Sendable {
        /// A setting, or how several of them begin.
        public let name: String
        /// Why.
        public let reason: String
    }

    /// Those that were compared, in the order of their names.
    public let rows: [Row]
    /// Those that were not.
    public let gaps: [Gap]

    /// Compares what was told `before` and `after`.
    public init(_ before: ReportedSettings, _ after: ReportedSettings) {
        var gaps: [String: String] = [:]
        for (name, reason) in before.unread { gaps[name] = "not read before the update: \(reason)" }
        for (name, reason) in after.unread {
            gaps[name] =
                gaps[name].map { _ in "not read, before the update or after it: \(reason)" }
                ?? "not read after the update: \(reason)"
        }
        let untold = after.unread.keys
        var rows: [Row] = []
        for (name, value) in before.values {
            let found = after.values[name]
            guard found != nil || !untold.contains(where: { name.hasPrefix($0) }) else { continue }
            rows.append(Row(name: name, before: value, after: found, isKnown: !before.unknown.contains(name)))
        }
        for name in after.values.keys where before.values[name] == nil {
            guard !before.unread.keys.contains(where: { name.hasPrefix($0) }) else { continue }
            gaps[name] = "it was not there before the update"
        }
        self.rows = rows.sorted { $0.name < $1.name }
        self.gaps = gaps.sorted { $0.key < $1.key }.map { Gap(name: $0.key, reason: $0.value) }
    }

    /// Those that are not as before.
    public var changed: [Row] { rows.filter { !$0.isKept } }
}

extension SettingsComparison: CustomStringConvertible {
    /// For people: how many.
    public var description: String {
        let changed = changed.count
        return changed == 0
            ? "all \(rows.count) settings are as before" : "\(changed) of \(rows.count) settings changed"
    }

    /// For people: each, on a line of its own.
    public var lines: [String] {
        rows.map { row in
            let name = row.isKnown ? row.name : "\(row.name) (unknown key)"
            let after = row.after?.description ?? "gone"
            return "  \(name): " + (row.isKept ? "\(row.before), as before" : "\(row.before) -> \(after)")
        } + gaps.map { "  \($0.name): not compared, \($0.reason)" }
    }
}
