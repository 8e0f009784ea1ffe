public import BluetoothTypes

/// What was heard of a unit's surroundings before its update begins.
public struct EarlierScan: Equatable, Sendable {
    /// Who was heard, the unit included or not.
    public var heard: Set<DeviceAddress>
    /// Since when, by the adapter's time, the unit was looked for: what the adapter has heard from then on need not be
    /// heard again. Nil where it was not: earlier the unit itself may have been in another program.
    public var since: Duration?
    /// The address of the unit's application, where its bootloader was taken because that was silent.
    public var absent: DeviceAddress?
    /// Whether that bootloader was reached before, by way of the application: then it need not show that it is that one's.
    public var isReached = false
    /// What the unit's own frames call its firmware.
    public var version: String?

    /// Nobody was heard, or who is given.
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
