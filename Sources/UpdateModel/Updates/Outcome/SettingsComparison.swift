/// The settings before and after an update, one by one.
public struct SettingsComparison: Equatable, Sendable, CustomStringConvertible {
    /// A setting that the device had before the update.
    public struct Row: Equatable, Sendable {
        public let name: String
        public let before: SettingValue
        /// Its value after the update; nil if the device no longer has it.
        public let after: SettingValue?
        /// Whether its maker documents it.
        public let isKnown: Bool
        public var isKept: Bool { before == after }
    }

    /// A setting that could not be compared.
    public struct Gap: Equatable, Sendable {
        /// A setting, or the prefix of several.
        public let name: String
        public let reason: String
    }

    /// The settings compared, sorted by name.
    public let rows: [Row]
    public let gaps: [Gap]

    public init(_ before: ReportedSettings, _ after: ReportedSettings) {
        var gaps: [String: String] = [:]
        for (name, reason) in before.unread { gaps[name] = "not read before the update: \(reason)" }
        for (name, reason) in after.unread {
            gaps[name] =
                gaps[name].map { _ in "not read, before the update or after it: \(reason)" }
                ?? "not read after the update: \(reason)"
        }
        let unreadAfter = after.unread.keys
        var rows: [Row] = []
        for (name, value) in before.values {
            let found = after.values[name]
            guard found != nil || !unreadAfter.contains(where: { name.hasPrefix($0) }) else { continue }
            rows.append(Row(name: name, before: value, after: found, isKnown: !before.unknown.contains(name)))
        }
        for name in after.values.keys where before.values[name] == nil {
            guard !before.unread.keys.contains(where: { name.hasPrefix($0) }) else { continue }
            gaps[name] = "it was not there before the update"
        }
        self.rows = rows.sorted { $0.name < $1.name }
        self.gaps = gaps.sorted { $0.key < $1.key }.map { Gap(name: $0.key, reason: $0.value) }
    }

    public var changed: [Row] { rows.filter { !$0.isKept } }

    public var description: String {
        let changed = changed.count
        return changed == 0
            ? "all \(rows.count) settings are as before" : "\(changed) of \(rows.count) settings changed"
    }

    /// Each setting on a line of its own, for people.
    public var lines: [String] {
        rows.map { row in
            let name = row.isKnown ? row.name : "\(row.name) (unknown key)"
            let after = row.after?.description ?? "gone"
            return "  \(name): " + (row.isKept ? "\(row.before), as before" : "\(row.before) -> \(after)")
        } + gaps.map { "  \($0.name): not compared, \($0.reason)" }
    }
}
