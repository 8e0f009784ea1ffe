/// A reason why a device could no longer be found or connected.
public enum LockOut: String, CaseIterable, Sendable {
    /// None of its advertisements is connectable.
    case notConnectable = "not-connectable"
    /// It does not advertise by itself, or not after a change of its battery.
    case alwaysOff = "always-off"
    /// All three channels of one of its advertisements are off.
    case allChannelsOff = "all-channels-off"
    /// Its connectable advertisements use only long range or extended advertising, which many adapters do not
    /// receive.
    case noLegacyAdverts = "no-legacy-adverts"
}
