/// Which byte of an integer comes first.
public enum ByteOrder: Sendable {
    /// Least significant byte first, used by Bluetooth and most of the formats here.
    case little
    /// Most significant byte first.
    case big
}
