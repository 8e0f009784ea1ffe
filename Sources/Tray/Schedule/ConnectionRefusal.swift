/// Why a connection attempt failed.
public enum ConnectionRefusal: Hashable, Sendable {
    /// The unit did not reply in time.
    case noAnswer
    /// The controller or the kernel has no capacity for another link: Connection Limit Exceeded (0x09) or `EMLINK`. It
    /// is independent of the unit.
    case tooManyLinks
}
