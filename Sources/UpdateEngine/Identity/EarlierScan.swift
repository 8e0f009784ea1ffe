public import Bluetooth

/// The devices heard near a unit before its update begins.
public struct EarlierScan: Equatable, Sendable {
    /// The devices heard, with or without the unit.
    public var heard: Set<DeviceAddress>
    /// The adapter's time at which the search for the unit began: reports since then count, earlier ones may show the
    /// unit in another program. Nil if there was no search.
    public var since: Duration?
    /// The address of the unit's application, if its bootloader was selected because the application is silent.
    public var absent: DeviceAddress?
    /// Whether that bootloader was entered from the application before, so that it need not be identified again.
    public var isReached = false
    /// The firmware version in the unit's own advertisements.
    public var version: String?

    /// The devices given, or none.
    public init(
        heard: Set<DeviceAddress> = [], since: Duration? = nil, absent: DeviceAddress? = nil,
        version: String? = nil
    ) {
        self.heard = heard
        self.since = since
        self.absent = absent
        self.version = version
    }
}
