package import ArgumentParser
import Bytes
import Firmware
package import UpdateModel

package struct SecretsOptions: ParsableArguments {
    @Option(
        "A file of passwords and PINs that other users cannot read (mode 0600).", valueName: "path",
        completion: .file(extensions: ["yaml", "yml"]))
    package var secrets: String?

    /// The file, from the command line or the defaults.
    package var path: String? { secrets ?? Defaults[.secrets] }

    func read() throws(CommandFailure) -> SecretsFile {
        guard let path else { return SecretsFile() }
        return try Self.read(path)
    }

    /// The passwords and PINs of a run; `capture` is the path of its recording, if any.
    package func secretStore(capturing capture: String?, _ console: Console) throws(CommandFailure)
        -> SecretStore
    {
        guard let capture else { return SecretStore(try read()) }
        return SecretStore(try read()) { secret in
            switch secret {
            case .proof:
                console.warn(
                    .command.captureHasProof,
                    "\(capture) lets anyone who has it try passwords until one matches")
            case .pin: console.warn(.command.captureHasPin, "\(capture) contains the PIN in plain text")
            }
        }
    }

    package static func read(_ path: String) throws(CommandFailure) -> SecretsFile {
        let step = "reading the passwords"
        let vendors = KnownVendors.withSessions.filter { $0.secretRules != nil }.map(\.name)
        let bytes = try InputFile(path: path).secret(
            atMost: YAMLValue.limit, exposed: .command.secretsExposed, tooLarge: .command.secretsInvalid,
            during: step)
        do throws(YAMLProblem) { return try SecretsFile(parsing: bytes, vendors: vendors) } catch {
            throw CommandFailure(.command.secretsInvalid, during: step, error, in: path)
        }
    }

    package init() {}
}
