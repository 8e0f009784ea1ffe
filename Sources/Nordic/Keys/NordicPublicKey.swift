import Bytes

/// The public key built into a bootloader, which accepts only init packets signed with the matching private key.
package struct NordicPublicKey: Sendable {
    let key: P256PublicKey

    init(_ key: P256PublicKey) { self.key = key }

    /// The key as `nrfutil keys display --format hex` prints it: 128 digits, X then Y, each with its least
    /// significant byte first. Nil if the text has another format or is not a point on the curve.
    package init?(hex: String) {
        guard let bytes = try? HexText.decode(hex) else { return nil }
        self.init(wire: bytes)
    }

    /// The 64 bytes that a bootloader holds: X then Y, each with its least significant byte first.
    package init?(wire bytes: [UInt8]) {
        guard bytes.count == 64,
            let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
        else { return nil }
        self.key = key
    }

    /// SHA-256 of ``wireBytes``, to identify the key.
    package var fingerprint: [UInt8] { SHA256Digest.digest(wireBytes) }

    /// X then Y, each with its least significant byte first.
    package var wireBytes: [UInt8] {
        let point = key.point
        return point.prefix(32).reversed() + point.dropFirst(32).reversed()
    }

    /// Whether `signature` (r then s, each with its least significant byte first) signs `message`.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        return key.verifies(r: signature[..<32].reversed(), s: signature[32...].reversed(), of: message)
    }

    /// Whether `signature` (r then s, each with its most significant byte first, as Legacy DFU has it) signs `message`.
    package func verifies(bigEndian signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        return key.verifies(r: signature[..<32], s: signature[32...], of: message)
    }

    /// The public key for the default private key in the source of nrfutil 6.1.7 (`signing.py`). Anyone with a copy of
    /// nrfutil can sign with that key. The SHA-256 of the public key's 64 bytes is
    /// d6e6cf764b980978a4908df8b4ddbfad343371f2d024a67f3d7c7f44abceffdd.
    package static let defaultKey = NordicPublicKey(
        hex: """
            8cc034a310da78a0ea12050fe2e8afeb20bc7f187b8e3717a214e8ef522b7668\
            46cbff309004e5e81d60b59addd0d454f7848d84321a4a78e7c0ef7c614967c9
            """)

    package var isDefaultKey: Bool { wireBytes == Self.defaultKey?.wireBytes }
}

extension NordicPublicKey {
    /// Reads the key in `text`: PEM of a public key, PEM of a private key (SEC 1 or PKCS #8), or the 128 hexadecimal
    /// digits or the C array that `nrfutil keys display` prints.
    package init(text: String) throws(KeyTextError) {
        let blocks = PEMBlock.blocks(in: text).filter { $0.label != "EC PARAMETERS" }
        let keys = blocks.filter(\.isKey)
        if !keys.isEmpty {
            // An encrypted private key cannot be read, and is not needed if the public key is there too.
            let hasPublic = keys.contains { $0.label == "PUBLIC KEY" }
            self = try Self.key(inAll: hasPublic ? keys.filter { !$0.isEncrypted } : keys)
        } else if let block = blocks.first {
            throw block.refusal
        } else if text.contains("{") {
            try self.init(checking: try Self.elements(ofCode: text))
        } else {
            try self.init(checking: try Self.digits(of: text))
        }
    }

    /// The key that all `blocks` share: some files have both halves of a key, or one half in two formats.
    private static func key(inAll blocks: [PEMBlock]) throws(KeyTextError) -> NordicPublicKey {
        try blocks.only(\.wireBytes) { (block) throws(KeyTextError) in
            if block.label.hasSuffix("PRIVATE KEY") { return try NordicPrivateKey(block).publicKey }
            guard block.label == "PUBLIC KEY", let key = block.bytes.flatMap(P256PublicKey.init(der:)) else {
                throw block.refusal
            }
            return NordicPublicKey(key)
        }
    }

    /// PEM (`PUBLIC KEY`), as OpenSSL and nrfutil write it.
    package var pem: String { PEMBlock.text(label: "PUBLIC KEY", key.der) }

    /// The 128 digits that nrfutil prints.
    package var hex: String { HexText.encode(wireBytes) }

    /// The C array for a bootloader's source (`dfu_public_key.c`), as nrfutil prints it, without a date.
    package var code: String {
        let halves = [wireBytes.prefix(32), wireBytes.suffix(32)].map { half in
            "    " + half.map { "0x" + HexText.encode([$0]) }.joined(separator: ", ")
        }
        return """
            #include "stdint.h"
            #include "compiler_abstraction.h"

            /** @brief Public key used to verify DFU images */
            __ALIGN(4) const uint8_t pk[64] =
            {
            \(halves.joined(separator: ",\n"))
            };

            """
    }

    private init(checking bytes: [UInt8]) throws(KeyTextError) {
        guard bytes.count == 64 else { throw .wrongLength(bytes: bytes.count) }
        guard let key = NordicPublicKey(wire: bytes) else { throw .notOnCurve }
        self = key
    }

    /// The digits after a title that ends with a colon, or those of the whole text.
    private static func digits(of text: String) throws(KeyTextError) -> [UInt8] {
        let tail = text.lastIndex(of: ":").map { text[text.index(after: $0)...] } ?? text[...]
        // Terminals and mail programs insert white space in a number of this length.
        guard let bytes = try? HexText.decode(String(tail)), !bytes.isEmpty else { throw .noKey }
        return bytes
    }

    private static func elements(ofCode text: String) throws(KeyTextError) -> [UInt8] {
        let code = withoutComments(text)
        guard let open = code.firstIndex(of: "{"), let close = code[open...].firstIndex(of: "}") else {
            throw .noKey
        }
        let arrays = code.count { $0 == "{" }
        guard arrays == 1 else { throw .severalKeys(arrays) }
        var bytes: [UInt8] = []
        for element in code[code.index(after: open)..<close].split(separator: ",") {
            let word = element.trimmed(of: \.isWhitespace)
            // A trailing comma is allowed.
            if word.isEmpty { continue }
            guard let byte = UInt8(decimalOrHexadecimal: word) else {
                throw .codeMalformed(index: bytes.count)
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func withoutComments(_ text: String) -> String {
        let pieces = text.split(separator: "/*", omittingEmptySubsequences: false)
        // Of a piece after the start of a comment, only the text after the comment's end counts.
        let rest = pieces.dropFirst().flatMap {
            $0.split(separator: "*/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        }
        return (pieces.prefix(1) + rest).joined().split(whereSeparator: \.isNewline)
            .map { $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first ?? "" }
            .joined(separator: "\n")
    }
}

extension PEMBlock {
    var isKey: Bool {
        label == "PUBLIC KEY" || label.hasSuffix(" PUBLIC KEY") || label.hasSuffix("PRIVATE KEY")
    }

    var refusal: KeyTextError {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            return .otherKind("a certificate, not a key")
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            return .otherKind("a certificate request, not a key")
        case "RSA PRIVATE KEY", "RSA PUBLIC KEY": return .otherKind("an RSA key")
        case "DSA PRIVATE KEY": return .otherKind("a DSA key")
        case "OPENSSH PRIVATE KEY": return .otherKind("an SSH key in OpenSSH format")
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
        if found.isEmpty, Set(refusals).count == 1, let refusal = refusals.first { throw refusal }
        guard refusals.isEmpty, found.count == 1, let key = found.first?.value else {
            throw .severalKeys(found.count + refusals.count)
        }
        return key
    }
}
