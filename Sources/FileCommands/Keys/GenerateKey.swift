import ArgumentParser
import Bytes
import CommandKit
import UpdateModel

/// Makes a signing key. No option allows replacing a file: without its key, no beacon that trusts it can be updated.
struct GenerateKey: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Make a new signing key, in a file that must not exist yet.",
        discussion: "Example: `beacon-dfu keys generate product.pem`.")

    @Argument(help: "The file (PEM, readable only by its owner).", completion: .file(extensions: ["pem"]))
    var file: String
    @Option(help: "The type: p256 for packages and catalogues, ed25519 for catalogues only.")
    var type = KeyType.p256
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let key: SigningKey
        do throws(SignatureError) { key = try SigningKey(type) } catch {
            throw CommandFailure("internal-error", during: "making a key", message: "\(error)")
        }
        try OutputFile.create(Array(key.pem.utf8), at: file, mode: 0o600)
        guard try KeyFile(path: file).verifyingKey().hex == key.publicKey.hex else {
            throw CommandFailure(
                .command.fileNotWritable, during: "reading the key back",
                message: "\(file) does not contain the key that was written")
        }
        if console.style.isJSON {
            console.event(
                JSONLine(
                    "generated",
                    [
                        "file": .text(file), "public_key": .text(key.publicKey.hex),
                        "fingerprint": .text(key.publicKey.fingerprint), "type": .text(type.rawValue),
                    ]))
        } else {
            console.result("\(file): new signing key, public key")
            console.result("  \(key.publicKey.hex.prefix(64))")
            if type == .p256 { console.result("  \(key.publicKey.hex.suffix(64))") }
            let loser =
                type == .p256
                ? "beacon that trusts it can be updated" : "catalogue can be signed for users who trust it"
            console.talk("keep a copy in a safe place: without this key no \(loser)")
        }
        return .done
    }
}
