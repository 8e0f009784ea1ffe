/// Which byte of an integer comes first.
public enum ByteOrder: Sendable {
    /// Least significant byte first, as Bluetooth and most of our formats have it.
    case little
    /// Most significant byte first.
    case big
}
