public import Identity

/// A unit of a tray to search for: its slot and its identity.
public struct TrayTarget: Hashable, Sendable {
    /// The slot's label.
    public let slot: String
    /// The beacon's selector.
    public internal(set) var device: DeviceSelector
    /// The vendor's id on its label; nil if it was not read.
    public let label: String?
    /// Whether an earlier attempt may have left it in its bootloader: the search then accepts the bootloader at once.
    public var mayBeInBootloader: Bool
    /// Whether it may already run the new firmware, because it received the command to install it.
    public var mayBeInstalled: Bool
    /// The firmware that an earlier attempt sent or was to send; nil if there was none.
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
