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

    /// Whether the file is this user's, or root's, or of whom root works for by sudo(8).
    private static func isOwn(_ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid != 0, status.st_uid != geteuid() else {
            return true
        }
        return geteuid() == 0 && getenv("SUDO_UID").map { String(cString: $0) } == "\(status.st_uid)"
    }

    static func read(_ path: String) throws(CommandFailure) -> SecretsFile {
        let step = "reading the passwords"
        let file = try InputFile(path: path)
        guard file.status.st_mode & 0o077 == 0 || file.status.st_mode & S_IFMT != S_IFREG else {
            throw CommandFailure(
                "secrets-exposed", during: step,
                message: "\(path) has mode \(String(file.status.st_mode & 0o777, radix: 8))",
                nextStep: "let only its owner read it: `chmod 600 \(ShellWord.quoted(path))`")
        }
        guard isOwn(file.status) else {
            throw CommandFailure(
                "secrets-exposed", during: step,
                message:
                    "\(path) belongs to another user (number \(file.status.st_uid)), who can read and change it",
                nextStep: "run the command as that user, or make the file yours: "
                    + "`chown \(geteuid()) \(ShellWord.quoted(path))`")
        }
        guard let bytes = try file.contents(atMost: YAMLValue.limit) else {
            throw CommandFailure(
                "secrets-invalid", during: step, message: "\(path) has more than \(YAMLValue.limit) bytes")
        }
        do throws(YAMLProblem) { return try SecretsFile(parsing: bytes) } catch {
            throw CommandFailure("secrets-invalid", during: step, error, in: path)
        }
    }
}
