package import Bytes

/// The private key that signs init packets; the bootloaders of a product hold the matching public key.
package struct NordicPrivateKey: Sendable {
    private let key: P256PrivateKey

    package init() throws(SignatureError) { key = try P256PrivateKey() }

    /// The key in `text`: PEM of SEC 1 (`EC PRIVATE KEY`, from nrfutil and OpenSSL) or PKCS #8 (`PRIVATE KEY`).
    package init(text: String) throws(KeyTextError) {
        let blocks = PEMBlock.blocks(in: text)
        let own = blocks.filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard !own.isEmpty else {
            guard (try? NordicPublicKey(text: text)) == nil else { throw .onlyPublic }
            if let other = blocks.first(where: { $0.label != "EC PARAMETERS" }) { throw other.refusal }
            throw .noKey
        }
        self = try own.only(\.key.scalar) { (block) throws(KeyTextError) in try NordicPrivateKey(block) }
    }

    init(_ block: PEMBlock) throws(KeyTextError) {
        guard !block.isEncrypted else { throw .encrypted }
        guard let key = block.bytes.flatMap(P256PrivateKey.init(der:)) else { throw block.refusal }
        self.key = key
    }

    /// The key with this scalar: 32 bytes, most significant first; nil unless it is between 0 and the group order.
    package init?(scalar: [UInt8]) {
        guard let key = P256PrivateKey(scalar: scalar) else { return nil }
        self.key = key
    }

    package var publicKey: NordicPublicKey { NordicPublicKey(key.publicKey) }

    /// PEM of SEC 1 (`EC PRIVATE KEY`), the form that nrfutil reads and writes.
    package var pem: String { PEMBlock.text(label: "EC PRIVATE KEY", key.sec1) }

    /// 64 hexadecimal digits: the scalar with its least significant byte first, as nrfutil prints it.
    package var hex: String { HexText.encode(key.scalar.reversed()) }

    /// Signs `message`: r then s, each with its least significant byte first, as sent to the bootloader. The same
    /// message gets the same signature (RFC 6979).
    package func sign(_ message: [UInt8]) throws(SignatureError) -> [UInt8] {
        let (r, s) = try key.signature(of: message)
        return r.reversed() + s.reversed()
    }
}
