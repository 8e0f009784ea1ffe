import Digests

extension PEMBlock {
    /// Whether it is said to be a key.
    var isKey: Bool {
        label == "PUBLIC KEY" || label.hasSuffix(" PUBLIC KEY") || label.hasSuffix("PRIVATE KEY")
    }

    /// Why it is no key of P-256 that can be read.
    var refusal: KeyTextError {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            return .otherKind("a certificate, not a key alone")
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return .otherKind("a request for a certificate, not a key alone")
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": return .otherKind("an RSA key")
        case "DSA PRIVATE KEY": return .otherKind("a DSA key")
        case "OPENSSH PRIVATE KEY":
            return .otherKind("a key for SSH, in the form of OpenSSH")
        default: break
        }
        guard let structure = bytes.flatMap(KeyStructure.init(der:)) else { return .unreadable(label: label) }
        switch structure.kind {
        case .rsa: return .otherKind("an RSA key")
        case .explicitParameters: return .explicitParameters
        case .p256: return .unreadable(label: label)
        case .curve(let name): return .otherKind("a key of the curve \(name)")
        case .other(let identifier): return .otherKind("a key of another kind (\(identifier))")
        }
    }
}

extension [PEMBlock] {
    /// The one key that `read` finds in all blocks, known by its `identity`. Several keys are refused, and so is a key beside what
    /// cannot be read: which is meant nobody can tell.
    func only<Key>(
        _ identity: (Key) -> [UInt8], _ read: (PEMBlock) throws(KeyTextError) -> Key
    ) throws(KeyTextError) -> Key {
        var found: [[UInt8]: Key] = [:]
        var refusals: [KeyTextError] = []
        for block in self {
            do throws(KeyTextError) {
                let key = try read(block)
                found[identity(key)] = key
            } catch { refusals.append(error) }
        }
        if let refusal = refusals.first, found.isEmpty, refusals.allSatisfy({ $0 == refusal }) {
            throw refusal
        }
        guard refusals.isEmpty, found.count == 1, let key = found.first?.value else {
            throw .severalKeys(found.count + refusals.count)
        }
        return key
    }
}
