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
