/// A device model, with its name in a catalogue or the vendor's.
public struct DeviceModel: Hashable, Sendable {
    /// Its name, for example `BP102`.
    public let name: String
    /// The kind of firmware that it takes.
    public let kind: FirmwareKind
    /// The common facts of all its devices, such as their hardware version.
    public let facts: TargetDevice

    /// A model of that name and kind.
    public init(name: String, kind: FirmwareKind, facts: TargetDevice = TargetDevice()) {
        (self.name, self.kind, self.facts) = (name, kind, facts)
    }
}
