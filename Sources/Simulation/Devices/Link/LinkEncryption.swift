/// The outcome of a central's request to encrypt a link.
public enum LinkEncryption: Hashable, Sendable {
    /// The link is encrypted, with a key that both ends store; nil if they store none.
    case done(key: Int?)
    /// It is not encrypted, for this reason.
    case refused(String)
}
