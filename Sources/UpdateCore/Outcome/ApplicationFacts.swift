/// What a running application says of itself (Device Information Service 1.1, 3; Battery Service 1.1, 3.1). What it
/// does not say is nil.
public struct ApplicationFacts: Equatable, Sendable {
    /// Its version: the Firmware Revision String, or what the unit advertises where there is none.
    public var version: String?
    /// The Hardware Revision String.
    public var hardware: String?
    /// The Model Number String.
    public var model: String?
    /// The Battery Level in percent.
    public var battery: UInt8?
    /// Why it takes no updates, in its own words; nil where it does, or says nothing of that.
    public var updateRefusal: String?
    /// Its settings; none where it did not say, nil where it was not asked.
    public var settings: ReportedSettings?

    /// An application that says this.
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
