/// Why an attempt to connect came to nothing.
public enum ConnectionRefusal: Hashable, Sendable {
    /// The unit did not answer in time.
    case noAnswer
    /// The controller or the kernel has no room for another link: Connection Limit Exceeded (0x09) or `EMLINK`. It says
    /// nothing of the unit.
    case tooManyLinks
}
