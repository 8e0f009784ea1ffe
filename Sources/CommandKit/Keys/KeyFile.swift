import Bytes
package import Nordic

/// A key file in any supported form.
package struct KeyFile {
    package let path: String
    private let source: KeyText
    private var text: String { source.text }

    package init(path: String) throws(CommandFailure) {
        self.path = path
        source = try KeyText(path: path, tooLong: .nordicFile.keyInvalid)
    }

    /// The public key in the file, or that of the private key in it.
    package func publicKey() throws(CommandFailure) -> NordicPublicKey {
        do throws(KeyTextError) { return try NordicPublicKey(text: text) } catch { throw refusal(error) }
    }

    /// The private key in the file, with a warning if others can read the file.
    package func privateKey(_ console: Console) throws(CommandFailure) -> NordicPrivateKey {
        let key: NordicPrivateKey
        do throws(KeyTextError) { key = try NordicPrivateKey(text: text) } catch { throw refusal(error) }
        source.warnIfExposed(console)
        if key.publicKey.isPubliclyKnown {
            console.warn(
                .nordicFinding.signedWithDefaultKey,
                "\(path) is the key in nrfutil's own source: anyone can sign for beacons that trust it")
        }
        return key
    }

    /// The public key in the file, of any type.
    package func verifyingKey() throws(CommandFailure) -> VerifyingKey {
        if let key = Ed25519PublicKey(pem: text) {
            try refuseOthers(wantingPublic: true)
            return .ed25519(key)
        }
        return .p256(try publicKey())
    }

    /// The private key in the file, of any type, with a warning if others can read the file.
    package func signingKey(_ console: Console) throws(CommandFailure) -> SigningKey {
        guard let key = Ed25519PrivateKey(pem: text) else { return .p256(try privateKey(console)) }
        try refuseOthers()
        source.warnIfExposed(console)
        return .ed25519(key)
    }

    /// Whether it holds a private key.
    package var isPrivate: Bool {
        (try? NordicPrivateKey(text: text)) != nil || Ed25519PrivateKey(pem: text) != nil
    }

    /// Throws if the file of an Ed25519 key contains another key. With `wantingPublic` and a public key in the file,
    /// encrypted blocks are ignored.
    private func refuseOthers(wantingPublic: Bool = false) throws(CommandFailure) {
        var blocks = PEMBlock.blocks(in: text)
        if wantingPublic, blocks.contains(where: { $0.label == "PUBLIC KEY" }) {
            blocks.removeAll(where: \.isEncrypted)
        }
        let keys = Set(
            blocks.map { Ed25519PublicKey(pem: PEMBlock.text(label: $0.label, $0.bytes ?? []))?.bytes })
        guard keys.count > 1 else { return }
        throw refusal(.severalKeys(keys.count))
    }

    private func refusal(_ error: KeyTextError) -> CommandFailure {
        CommandFailure(error.code, during: "reading the key", message: "\(path): \(error)")
    }
}
