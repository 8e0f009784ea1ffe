import ArgumentParser
import Glibc
import Secrets
import YAMLText

/// Where passwords and PINs are.
struct SecretsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file of passwords and PINs that nobody else may read (mode 0600).", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var secrets: String?

    /// The file that was named, here or for every run.
    var path: String? { secrets ?? Defaults[.secrets] }

    /// The file's content; without one, nothing.
    func read() throws(CommandFailure) -> SecretsFile {
        guard let path else { return SecretsFile() }
        return try Self.read(path)
    }

    /// The passwords and PINs of a run, of which `capture` may be a recording.
    func keeper(capturing capture: String?, _ console: Console) throws(CommandFailure) -> SecretKeeper {
        guard let capture else { return SecretKeeper(try read()) }
        return SecretKeeper(try read()) { secret in
            switch secret {
            case .proof:
                console.warn(
                    "capture-has-proof", "whoever has \(capture) can try passwords on it until one fits")
            case .pin: console.warn("capture-has-pin", "whoever has \(capture) has the PIN, as plain text")
            }
        }
    }

    static func read(_ path: String) throws(CommandFailure) -> SecretsFile {
        let step = "reading the passwords"
        let file = try InputFile(path: path)
        try file.requirePrivate("secrets-exposed", during: step)
        guard let bytes = try file.contents(atMost: YAMLValue.limit) else {
            throw CommandFailure(
                "secrets-invalid", during: step, message: "\(path) has more than \(YAMLValue.limit) bytes")
        }
        do throws(YAMLProblem) { return try SecretsFile(parsing: bytes) } catch {
            throw CommandFailure("secrets-invalid", during: step, error, in: path)
        }
    }
}
