package import Bluetooth

/// Facts that a running application reports (Device Information Service 1.1, 3; Battery Service 1.1, 3.1); nil if not
/// reported.
public struct ApplicationFacts: Equatable, Sendable {
    /// Its version: the Firmware Revision String or, without one, the version that the unit advertises.
    public var version: String?
    /// The characteristic that `version` was read from; nil for a version from elsewhere.
    package var versionSource: BluetoothUUID?
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
