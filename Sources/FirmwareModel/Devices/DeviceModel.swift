/// A model of device, as a catalogue or a vendor calls it.
public struct DeviceModel: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The kind of firmware that it takes.
    public let kind: FirmwareKind
    /// What else is known of its devices.
    public let facts: TargetDevice

    /// A model as described.
    public init(name: String, kind: FirmwareKind, facts: TargetDevice = TargetDevice()) {
        (self.name, self.kind, self.facts) = (name, kind, facts)
    }
}
