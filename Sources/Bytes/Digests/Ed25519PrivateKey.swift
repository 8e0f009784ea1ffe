import CCrypto
import FoundationEssentials

/// A key for Ed25519 signatures (RFC 8032); the same message always gets the same signature.
public struct Ed25519PrivateKey: Sendable, CustomReflectable {
    /// The secret, 32 bytes.
    public let bytes: [UInt8]
    public let publicKey: Ed25519PublicKey

    /// A new key, from the system's random number generator.
    public init() throws(SignatureError) {
        guard let key = Self(bytes: [UInt8].random(count: 32)) else { throw .library }
        self = key
    }

    /// The key of these 32 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        var point = [UInt8](repeating: 0, count: 32)
        var count = point.count
        guard let key = Self.key(bytes) else { return nil }
        defer { EVP_PKEY_free(key) }
        guard EVP_PKEY_get_raw_public_key(key, &point, &count) == 1,
            let publicKey = Ed25519PublicKey(bytes: point)
        else { return nil }
        (self.bytes, self.publicKey) = (bytes, publicKey)
    }

    private static func key(_ bytes: [UInt8]) -> OpaquePointer? {
        Libcrypto.isStarted ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) : nil
    }

    /// The key in PEM of PKCS #8, version 1 (`PRIVATE KEY`, RFC 8410), as OpenSSL writes it; nil if there is none.
    public init?(pem: String) {
        guard let key = PEMBlock.key(in: pem, label: "PRIVATE KEY", after: Self.start) else { return nil }
        self.init(bytes: key)
    }

    public var pem: String { PEMBlock.text(label: "PRIVATE KEY", Self.start + bytes) }

    /// The signature of `message`, 64 bytes, after verification with the public key.
    public func signature(of message: [UInt8]) throws(SignatureError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard let key = Self.key(bytes) else { throw .library }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { throw .library }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw .library }
        guard publicKey.verifies(signature, of: message) else { throw .wrong }
        return signature
    }

    /// The part of PKCS #8 before the 32 bytes of an Ed25519 key (1.3.101.112; RFC 8410, 7).
    private static let start: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// Only the public key, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// A key that checks Ed25519 signatures (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The key in PEM: of a public key (`PUBLIC KEY`, RFC 8410), or of a private one (`PRIVATE KEY`), which
    /// includes it. Nil if there is neither.
    public init?(pem: String) {
        if let own = Ed25519PrivateKey(pem: pem) {
            self = own.publicKey
            return
        }
        guard let key = PEMBlock.key(in: pem, label: "PUBLIC KEY", after: Self.start) else { return nil }
        self.init(bytes: key)
    }

    /// PEM (`PUBLIC KEY`), as OpenSSL writes it.
    public var pem: String { PEMBlock.text(label: "PUBLIC KEY", der) }

    /// SubjectPublicKeyInfo (RFC 8410, 4).
    public var der: [UInt8] { Self.start + bytes }

    /// Whether `signature`, 64 bytes, signs `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        SignatureKey(der: der)?.verifies(signature, of: message) ?? false
    }

    /// The part of SubjectPublicKeyInfo before the 32 bytes of an Ed25519 key (1.3.101.112; RFC 8410, 4).
    private static let start: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}

/// A part of a text between `-----BEGIN label-----` and `-----END label-----` (RFC 7468).
public struct PEMBlock: Sendable {
    /// Its label, such as `PUBLIC KEY`.
    public let label: String
    /// The content; nil if it is not Base64, for example because of the headers of an encrypted key.
    public let bytes: [UInt8]?
    /// Whether a password is needed to read it: by its label (RFC 5958), or by the header of the older form (RFC 1421).
    public let isEncrypted: Bool

    /// All blocks of `text` in order; the text around them is ignored.
    public static func blocks(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: Substring, lines: String)?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop(while: \.isWhitespace)
            if let label = line.label(after: "-----BEGIN ") {
                open = (label, "")
            } else if let label = line.label(after: "-----END ") {
                if let block = open, block.label == label {
                    let content = Data(base64Encoded: block.lines).map { Array($0) }
                    let isEncrypted =
                        label == "ENCRYPTED PRIVATE KEY" || block.lines.hasPrefix("Proc-Type:4,ENCRYPTED")
                    blocks.append(PEMBlock(label: String(label), bytes: content, isEncrypted: isEncrypted))
                }
                open = nil
            } else {
                open?.lines += line.filter { !$0.isWhitespace }
            }
        }
        return blocks
    }

    /// The content of the first block with this label in `text`, after `start`; nil if it does not begin with that.
    fileprivate static func key(in text: String, label: String, after start: [UInt8]) -> [UInt8]? {
        guard let der = blocks(in: text).first(where: { $0.label == label })?.bytes, der.starts(with: start)
        else { return nil }
        return Array(der.dropFirst(start.count))
    }

    /// The text of one block, with lines of 64 characters and a newline at the end.
    public static func text(label: String, _ bytes: [UInt8]) -> String {
        let content = Data(bytes).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
    }
}

extension Substring {
    fileprivate func label(after mark: String) -> Substring? {
        guard hasPrefix(mark) else { return nil }
        let rest = dropFirst(mark.count)
        guard let end = rest.firstIndex(of: "-"), rest[end...].hasPrefix("-----") else { return nil }
        return rest[..<end]
    }
}
