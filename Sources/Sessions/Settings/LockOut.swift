/// Something by which nobody may find a device, or talk to it, any more.
public enum LockOut: String, CaseIterable, Sendable {
    case notConnectable = "not-connectable"
    case alwaysOff = "always-off"
}
