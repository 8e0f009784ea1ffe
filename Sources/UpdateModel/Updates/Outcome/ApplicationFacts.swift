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
    /// Why it takes no updates, as it reports; nil if it does, or does not report that.
    public var updateRefusal: String?
    /// Its settings; empty if it has reported none, nil if it was not asked.
    public var settings: ReportedSettings?

    /// The facts given.
    public init(
        version: String? = nil, hardware: String? = nil, model: String? = nil, battery: UInt8? = nil,
        updateRefusal: String? = nil, settings: ReportedSettings? = nil
    ) {
        self.version = version
        self.hardware = hardware
        self.model = model
        self.battery = battery
        self.updateRefusal = updateRefusal
        self.settings = settings
    }
}
