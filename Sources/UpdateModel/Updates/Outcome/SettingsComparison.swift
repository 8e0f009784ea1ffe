/// The settings that an application reports.
public struct ReportedSettings: Equatable, Sendable {
    public var values: [String: SettingValue] = [:]
    /// The names that its maker does not document.
    public var unknown: Set<String> = []
    /// Why settings were not read, by the prefix of their names.
    public var unread: [String: String] = [:]

    public init() {}

    public init(_ settings: some DeviceSettings) {
        for path in settings.paths {
            values["\(path)"] = settings.values[path]
            if !settings.isKnown(path) { unknown.insert("\(path)") }
        }
        unread = settings.unread
    }
}

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

/// Facts that a running application reports (Device Information Service 1.1, 3; Battery Service 1.1, 3.1); nil if not
/// reported.
public struct ApplicationFacts: Equatable, Sendable {
    /// Its version: the Firmware Revision String or, without one, the version that the unit advertises.
    public var version: String?
    /// The Hardware Revision String.
    public var hardware: String?
    /// The Model Number String.
    public var model: String?
    /// The Battery Level in percent.
    public var battery: UInt8?
    /// Why the application takes no updates, as it reports; nil if it takes them, or reports nothing about it.
    public var updateRefusal: String?
    /// Its settings; empty if it has reported none, nil if they were not read.
    public var settings: ReportedSettings?

    public init(
        version: String? = nil, hardware: String? = nil, model: String? = nil, battery: UInt8? = nil,
        updateRefusal: String? = nil, settings: ReportedSettings? = nil
    ) {
        (self.version, self.hardware, self.model) = (version, hardware, model)
        (self.battery, self.updateRefusal, self.settings) = (battery, updateRefusal, settings)
    }
}

/// A check that the user may override, by its name in `--force`.
public enum Risk: String, CaseIterable, Sendable {
    /// The requested bank may be that of the running image.
    case runningBank = "running-bank"
    /// The device already reports this version.
    case sameVersion = "same-version"
    /// The application reports a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family; that text may be wrong.
    case wrongFamily = "wrong-family"
    /// The application's version is unchanged, and the start of the new image was not acknowledged: nothing shows
    /// which one runs.
    case unchangedVersion = "unchanged-version"
    /// The catalogue is older than another one seen: it may contain releases withdrawn since.
    case olderCatalogue = "older-catalogue"
}
