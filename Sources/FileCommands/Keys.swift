import ArgumentParser
import Bytes
import CommandKit
import Nordic
import UpdateModel

/// Keys that sign packages for Nordic's bootloaders, and MCUboot images.
package struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make and show keys that sign firmware.",
        discussion: """
            Example: `beacon-dfu keys generate key.pem`, then `beacon-dfu keys show key.pem --format code` for the \
            bootloader's source.
            """,
        subcommands: [GenerateKey.self, ShowKey.self])
}

/// Makes a signing key. No option allows replacing a file: without its key, no beacon that trusts it can be updated.
struct GenerateKey: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Make a new signing key, in a file that must not exist yet.",
        discussion: "Example: `beacon-dfu keys generate product.pem`.")

    @Argument(help: "The file (PEM, readable only by its owner).", completion: .file(extensions: ["pem"]))
    var file: String
    @Option(help: "The type: p256 for any firmware, ed25519 for MCUboot images; both sign catalogues.")
    var type = KeyType.p256
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let key: SigningKey
        do throws(SignatureError) { key = try SigningKey(type) } catch {
            throw CommandFailure(.system.internalError, during: "making a key", message: "\(error)")
        }
        try OutputFile.create(Array(key.pem.utf8), at: file, mode: 0o600)
        try require(
            try KeyFile(path: file).verifyingKey().hex == key.publicKey.hex, .command.fileNotWritable,
            during: "reading the key back", message: "\(file) does not contain the key that was written")
        var lines: [TerminalText] = [
            "\(file): new signing key, public key", "  \(key.publicKey.hex.prefix(64))",
        ]
        if type == .p256 { lines.append("  \(key.publicKey.hex.suffix(64))") }
        console.report(
            JSONLine("generated").adding([
                "file": .text(file), "public_key": .text(key.publicKey.hex),
                "fingerprint": .text(key.publicKey.fingerprint), "type": .text(type.rawValue),
            ]), lines)
        if !console.style.isJSON {
            let consequence =
                type == .p256
                ? "beacon that trusts it can be updated"
                : "beacon that trusts it can be updated, and no catalogue signed for users who trust it"
            console.notice("keep a copy in a safe place: without this key no \(consequence)")
        }
        return .done
    }
}

/// Prints a key, for a bootloader's source or other tools.
struct ShowKey: PlainCommand {
    /// The output formats, with nrfutil's names.
    enum Format: String, ExpressibleByArgument, CaseIterable { case pem, hex, code }

    /// The half of the key pair, with nrfutil's names: `pk` is the public key, `sk` the private (secret) one.
    enum Half: String, ExpressibleByArgument, CaseIterable { case pk, sk }

    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the public key in a key file.",
        discussion: """
            Example: `beacon-dfu keys show product.pem --format code`.

            The file may hold a private key (PEM, SEC 1 or PKCS #8) or a public one (PEM, 128 hexadecimal digits, or \
            the array in C), or one key in several of these forms; Ed25519 keys are read from PEM only. pem is for \
            OpenSSL and most tools; hex is the 64 bytes that a bootloader holds; code is dfu_public_key.c of a \
            bootloader's source.
            """)

    @Argument(help: "The file.", completion: .file()) var file: String
    @Option(help: "The form.") var format = Format.hex
    @Option(help: "The half of the pair: pk, the public key, or sk, the private one.") var key = Half.pk
    @OptionGroup var plain: PlainOptions

    func validate() throws {
        try require(
            key == .pk || format != .code,
            "a private key does not belong in code: --key sk takes --format pem or hex")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let source = try KeyFile(path: file)
        let publicKey = try source.verifyingKey()
        let text: String
        if key == .sk {
            let secret = try source.signingKey(console)
            console.warn(
                .command.privateKeyShown, "this is the private key: anyone who sees it can sign in your name")
            text = format == .pem ? secret.pem : secret.hex
        } else {
            if publicKey.isPubliclyKnown {
                console.warn(
                    .nordicFinding.signedWithDefaultKey,
                    "\(file) is the key in nrfutil's own source: anyone can sign for beacons that trust it")
            }
            text =
                switch format {
                case .pem: publicKey.pem
                case .hex: publicKey.hex
                case .code: try Self.code(of: publicKey, in: file)
                }
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        console.report(
            JSONLine("key").adding([
                "file": .text(file), "key": .text(key.rawValue), "format": .text(format.rawValue),
                "text": .text(text), "fingerprint": .text(publicKey.fingerprint),
                "publicly_known": .bool(publicKey.isPubliclyKnown), "is_private": .bool(source.isPrivate),
                "type": .text(publicKey.type.rawValue),
            ]), lines.map { TerminalText(String($0)) })
        return .done
    }

    private static func code(of key: VerifyingKey, in path: String) throws(CommandFailure) -> String {
        guard let code = key.code else {
            throw CommandFailure(
                .nordicFile.keyInvalid, during: "writing the key",
                message: "\(path): Nordic's bootloaders hold no key of type \(key.type.rawValue)")
        }
        return code
    }
}
