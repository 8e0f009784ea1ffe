/// What a bootloader, or what else takes updates, does to the world, and when.
public enum FirmwareReaction: Hashable, Sendable {
    /// Sends this value from where its answers come from.
    case notify([UInt8], at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still there.
    case reset(at: Duration)
}
