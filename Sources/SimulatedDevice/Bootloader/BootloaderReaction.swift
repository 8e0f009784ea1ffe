/// What a bootloader does to the world, and when.
public enum BootloaderReaction: Hashable, Sendable {
    /// Sends this value on the Control Point.
    case notify([UInt8], at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still there.
    case reset(at: Duration)
}
