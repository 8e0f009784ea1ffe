package import Bytes
import Glibc
package import MCUboot
package import Nordic
package import UpdateModel

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

    /// The public key in the file, or that of the private key in it, of any type that signs firmware; a P-256
    /// key also as Nordic's bootloaders have it.
    package func firmwareKey() throws(CommandFailure) -> (key: SignatureKey, nordic: NordicPublicKey?) {
        do throws(KeyTextError) {
            let nordic = try NordicPublicKey(text: text)
            guard let key = SignatureKey(pem: nordic.pem) else { throw .unreadable(label: "PUBLIC KEY") }
            return (key, nordic)
        } catch {
            // An error of a P-256 key, such as a public half that does not match, is not hidden by the other reader.
            if let key = SignatureKey(pem: text), key.kind != .p256 { return (key, nil) }
            guard case .otherKind(let words) = error else { throw refusal(error) }
            throw refusal(
                "this is \(words); a key of P-256, P-384, Ed25519, or RSA with 2048 to 4096 bits is needed")
        }
    }

    /// The private key in the file, with a warning if others can read the file.
    package func privateKey(_ console: Console) throws(CommandFailure) -> NordicPrivateKey {
        let key: NordicPrivateKey
        do throws(KeyTextError) { key = try NordicPrivateKey(text: text) } catch { throw refusal(error) }
        source.warnIfExposed(console)
        if key.publicKey.isDefaultKey {
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
            return VerifyingKey(key)
        }
        return VerifyingKey(try publicKey())
    }

    /// The private key in the file, of any type, with a warning if others can read the file.
    package func signingKey(_ console: Console) throws(CommandFailure) -> SigningKey {
        if let key = try ed25519Key(console) { return SigningKey(key) }
        return SigningKey(try privateKey(console))
    }

    private func ed25519Key(_ console: Console) throws(CommandFailure) -> Ed25519PrivateKey? {
        guard let key = Ed25519PrivateKey(pem: text) else { return nil }
        try refuseOthers()
        source.warnIfExposed(console)
        return key
    }

    /// The private key in the file for signing MCUboot images, with a warning if others can read the file. `isPure` has
    /// an effect only on Ed25519.
    package func imageSigner(isPure: Bool, _ console: Console) throws(CommandFailure) -> ImageSigner {
        if let key = try ed25519Key(console) { return .ed25519(key, isPure: isPure) }
        let labels = PEMBlock.blocks(in: text).map(\.label)
        if !labels.isEmpty, labels.allSatisfy({ $0 == "PUBLIC KEY" }) {
            throw refusal("this is a public key; to sign, the private key is needed")
        }
        let nordic: NordicPrivateKey
        do throws(KeyTextError) { nordic = try NordicPrivateKey(text: text) } catch {
            guard case .otherKind(let words) = error else { throw refusal(error) }
            throw refusal("this is \(words); a key of P-256 or Ed25519 is needed")
        }
        source.warnIfExposed(console)
        guard let der = PEMBlock.blocks(in: nordic.pem).first?.bytes, let key = P256PrivateKey(der: der)
        else { throw refusal(.noKey) }
        return .p256(key)
    }

    package var isPrivate: Bool {
        (try? NordicPrivateKey(text: text)) != nil || Ed25519PrivateKey(pem: text) != nil
    }

    /// Throws if the file of an Ed25519 key contains another key. With `wantingPublic` and a public key in
    /// the file, encrypted blocks are ignored.
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

    private func refusal(_ error: KeyTextError) -> CommandFailure { refusal("\(error)") }

    private func refusal(_ words: String) -> CommandFailure {
        CommandFailure(.nordicFile.keyInvalid, during: "reading the key", message: "\(path): \(words)")
    }
}

/// The text of a key from a file, or from a pipe as in `--key-file <(pass show key)`.
package struct KeyText {
    package let text: String
    private let path: String
    private let mode: mode_t

    /// The most bytes of a key file: no key in any form is longer.
    private static let limit = 64 * 1024

    /// Reads the whole text; throws `code` if it is too long. A pipe is read until its writer closes it.
    package init(path: String, tooLong code: FailureCode) throws(CommandFailure) {
        let file = try InputFile(path: path)
        guard let bytes = try file.contents(atMost: Self.limit) else {
            throw CommandFailure(
                code, during: "reading the key",
                message: "\(file.path) has more than \(Self.limit) bytes; no key is that long",
                exit: .badFile)
        }
        (self.path, mode) = (file.path, file.status.st_mode)
        text = Self.text(of: bytes)
    }

    package static func text(of bytes: [UInt8]) -> String {
        // A byte order mark, which some editors write, is not part of the text (RFC 3629, 6).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(
            decoding: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    /// Warns if others can read the file of a secret key.
    package func warnIfExposed(_ console: Console) {
        // The mode of a terminal or another device does not apply to the data read from it.
        guard [S_IFREG, S_IFIFO].contains(mode & S_IFMT), mode & 0o077 != 0 else { return }
        console.warn(
            .command.keyFileExposed, "\(path) can be read by other users of this machine; chmod 600 it")
    }
}

extension UpdateOptions {
    /// The default options, with a check of packages by the public key in the file at `path`.
    package init(trustingKeyAt path: String) throws(CommandFailure) {
        self.init()
        try trustKey(at: path)
    }

    /// Adds a check of packages by the public key in the file at `path`, whatever their vendor.
    package mutating func trustKey(at path: String) throws(CommandFailure) {
        let (key, nordic) = try KeyFile(path: path).firmwareKey()
        self[MCUbootOptions.self].key = key
        self[NordicOptions.self].key = nordic
        self[NordicOptions.self].unsupportedKeyKind = nordic == nil ? key.kind : nil
    }
}

extension VendorFile {
    /// Whether a key can have signed it.
    package var takesKey: Bool { takes(NordicOptions.self) || takes(MCUbootOptions.self) }
}
