/// Something by which nobody may find a device, or talk to it, any more.
public enum LockOut: String, CaseIterable, Sendable {
    /// Nothing that it advertises can be connected to.
    case notConnectable = "not-connectable"
    /// It advertises nothing by itself, or not after its battery was changed.
    case alwaysOff = "always-off"
    /// All three channels of something that it advertises are off.
    case allChannelsOff = "all-channels-off"
    /// What can be connected to is advertised in ways only that many adapters do not hear: long range, or extended.
    case noLegacyAdverts = "no-legacy-adverts"
}
