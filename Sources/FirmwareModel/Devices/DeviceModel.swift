/// A model of device, as a catalogue or a vendor calls it.
public struct DeviceModel: Hashable, Sendable {
    /// Its name, as in `BP102`.
    public let name: String
    /// The kind of firmware that it takes.
    public let kind: FirmwareKind
    /// What is known of all its devices, such as their hardware version.
    public let facts: TargetDevice

    /// A model of that name and kind.
    public init(name: String, kind: FirmwareKind, facts: TargetDevice = TargetDevice()) {
        (self.name, self.kind, self.facts) = (name, kind, facts)
    }
}
