import Bytes

extension PEMBlock {
    /// Whether the label names a key.
    var isKey: Bool {
        label == "PUBLIC KEY" || label.hasSuffix(" PUBLIC KEY") || label.hasSuffix("PRIVATE KEY")
    }

    /// Why this is not a readable P-256 key.
    var refusal: KeyTextError {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            return .otherKind("a certificate, not a key")
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return .otherKind("a certificate request, not a key")
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": return .otherKind("an RSA key")
        case "DSA PRIVATE KEY": return .otherKind("a DSA key")
        case "OPENSSH PRIVATE KEY":
            return .otherKind("an SSH key in OpenSSH format")
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
    /// The one key that `read` finds in all blocks, compared by `identity`. Several different keys are refused, and
    /// so is a key next to an unreadable block: it is not clear which one to use.
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
