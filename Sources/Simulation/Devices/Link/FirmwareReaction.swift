/// A timed action of a bootloader, or of another receiver of updates.
public enum FirmwareReaction: Hashable, Sendable {
    /// Notifies this value of its response characteristic.
    case notify([UInt8], at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
    /// Resets the device, whether or not the link is still up.
    case reset(at: Duration)
}
