/// What comes of a central's wish to encrypt a link.
public enum LinkEncryption: Hashable, Sendable {
    /// The link is encrypted; with the key that both ends keep, nil where they keep none.
    case done(key: Int?)
    /// It is not, for a reason.
    case refused(String)
}
