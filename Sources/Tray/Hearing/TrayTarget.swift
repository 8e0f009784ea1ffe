public import BeaconIdentity

/// A unit of a tray that is to be found: its place, and who it is.
public struct TrayTarget: Hashable, Sendable {
    /// The label of its place.
    public let slot: String
    /// Which beacon.
    public internal(set) var device: DeviceSelector
    /// The vendor's id that its label bears; nil where nobody has read it.
    public let label: String?
    /// Whether it may be in its bootloader already, by what was done to it before: then that is looked for at once.
    public var mayBeInBootloader: Bool
    /// Whether it may run the new firmware already, because it has been told to install that.
    public var mayBeInstalled: Bool
    /// The firmware that an earlier attempt sent or was to send; nil where there was none.
    public var earlier: FirmwareRecord?

    /// The unit `device` at `slot`.
    public init(
        slot: String, device: DeviceSelector, label: String? = nil, mayBeInBootloader: Bool = false,
        mayBeInstalled: Bool = false
    ) {
        self.slot = slot
        self.device = device
        self.label = label
        self.mayBeInBootloader = mayBeInBootloader
        self.mayBeInstalled = mayBeInstalled
    }
}
