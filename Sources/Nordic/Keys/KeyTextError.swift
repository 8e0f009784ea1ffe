package import UpdateModel

package enum KeyTextError: Error, Hashable, Sendable {
    case noKey
    case encrypted
    case unreadable(label: String)
    /// Not a P-256 key, or a P-256 key in an unsupported format, or no key; the associated value describes it.
    case otherKind(String)
    case explicitParameters
    case severalKeys(Int)
    case wrongLength(bytes: Int)
    /// The element of the C array at this index, from 0, is not a byte. It is not quoted, as it may be secret.
    case codeMalformed(index: Int)
    case notOnCurve
    case onlyPublic

    package var code: FailureCode { .nordicFile.keyInvalid }
}

extension KeyTextError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noKey: "no key found: expected PEM, 128 hexadecimal digits or a C array"
        case .encrypted: "the key is encrypted; `openssl ec -in FILE -out OTHER` writes it without a password"
        case .unreadable(let label): "the \(Self.name(ofBlock: label)) is damaged"
        case .otherKind(let words): "this is \(words); a P-256 key is needed"
        case .explicitParameters:
            "the key gives its curve as explicit parameters; `openssl ec -in FILE -param_enc named_curve -out OTHER` "
                + "(for a public key with -pubin -pubout) writes it with the curve's name"
        case .severalKeys(let count): "the file has \(count) keys; put the one to use in a file of its own"
        case .wrongLength(let bytes): "the key has \(bytes) bytes, not 64"
        case .codeMalformed(let index): "element \(index) of the array, counted from 0, is not a byte"
        case .notOnCurve: "the 64 bytes are not a public key: not a point on the curve P-256"
        case .onlyPublic: "this is a public key; the private key is needed"
        }
    }

    /// The label of a damaged text may be anything; only known labels are quoted.
    private static func name(ofBlock label: String) -> String {
        let known = [
            "PUBLIC KEY", "PRIVATE KEY", "EC PRIVATE KEY", "RSA PUBLIC KEY", "RSA PRIVATE KEY",
            "OPENSSH PRIVATE KEY", "CERTIFICATE",
        ]
        return known.contains(label) ? "block \(label)" : "PEM block"
    }
}
