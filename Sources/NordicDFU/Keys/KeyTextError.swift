/// Why a text is not the key that is wanted.
public enum KeyTextError: Error, Hashable, Sendable {
    /// It has no mark of any form that keys are written in.
    case noKey
    /// The key is encrypted with a password.
    case encrypted
    /// The PEM block with this label cannot be read.
    case unreadable(label: String)
    /// It is a key of another kind than P-256, or a P-256 key in a form that is not read, or no key; in words.
    case otherKind(String)
    /// The P-256 key or another describes its curve by numbers.
    case explicitParameters
    /// It has several keys, and which is meant nobody can tell.
    case severalKeys(Int)
    /// A key of this many bytes is given, in hexadecimal digits or as code; 64 are needed.
    case wrongLength(bytes: Int)
    /// The element of the array in C with this index, from 0, is not a byte. What stands there may be a secret.
    case codeMalformed(index: Int)
    /// The 64 bytes are not a point on the curve.
    case notOnCurve
    /// A private key is needed, and this is a public one.
    case onlyPublic

    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String { "key-invalid" }
}

extension KeyTextError: CustomStringConvertible {
    /// One line for people, with the way out where there is one.
    public var description: String {
        switch self {
        case .noKey: "no key is in there: neither PEM nor 128 hexadecimal digits nor an array in C"
        case .encrypted:
            "the key is encrypted; `openssl ec -in FILE -out OTHER` writes it without a password"
        case .unreadable(let label):
            "the \(Self.name(ofBlock: label)) is damaged"
        case .otherKind(let words): "this is \(words), and a key of the curve P-256 is needed"
        case .explicitParameters:
            "the key describes its curve by numbers; `openssl ec -in FILE -param_enc named_curve -out OTHER` (for a public "
                + "key with -pubin -pubout) writes it with the curve's name"
        case .severalKeys(let count):
            "there are \(count) keys in it; put the one that is meant into a file of its own"
        case .wrongLength(let bytes): "the key has \(bytes) bytes, not 64"
        case .codeMalformed(let index): "element \(index) of the array, counted from 0, is not a byte"
        case .notOnCurve: "the 64 bytes are not a public key: not a point on the curve P-256"
        case .onlyPublic: "this is a public key, and the private one is needed"
        }
    }

    /// A damaged text may have anything in the place of a label; only one that is in use is repeated.
    private static func name(ofBlock label: String) -> String {
        let known = [
            "PUBLIC KEY", "PRIVATE KEY", "EC PRIVATE KEY", "RSA PUBLIC KEY", "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY", "CERTIFICATE",
        ]
        return known.contains(label) ? "block \(label)" : "PEM block"
    }
}
