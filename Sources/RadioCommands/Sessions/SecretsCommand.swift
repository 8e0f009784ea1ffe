package import ArgumentParser
import CommandKit
import KKM
import UpdateModel

package struct SecretsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "secrets", abstract: "Manage the file of passwords and PINs.",
        discussion: "Example: `beacon-dfu secrets check secrets.yaml`.",
        subcommands: [CheckSecrets.self])

    package init() {}
}

struct CheckSecrets: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a file of passwords and PINs, without a radio.",
        discussion: """
            Example: `beacon-dfu secrets check secrets.yaml`.

            Prints which beacons have an entry, never the secret itself. A file that others may read is refused.
            """)

    @Argument(
        help: ArgumentHelp("The file.", valueName: "path"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [file] }

    func perform(_ console: Console) async throws -> ExitStatus {
        let secrets = try SecretsOptions.read(file)
        var flaws = 0
        for entry in secrets.entries {
            let flaw = entry.flaw
            if flaw != nil { flaws += 1 }
            console.event(
                JSONLine(
                    "secret",
                    [
                        "for": .text(entry.key), "scope": .text(entry.owner.scope),
                        "line": .integer(entry.line), "flaw": .optional(flaw),
                    ]))
            let words = flaw.map { "wrong: \($0)" } ?? "ok"
            if !console.style.isJSON {
                console.result(
                    TerminalText("line \(entry.line)  \(entry.owner.scope) \(entry.key)  \(words)"))
            }
        }
        if secrets.entries.isEmpty { console.warn(.command.secretsEmpty, "\(file) has no entries") }
        guard flaws > 0 else { return .done }
        throw CommandFailure(
            .command.secretsInvalid, during: "checking the passwords",
            message: "\(flaws) of \(secrets.entries.count) entries are not valid")
    }
}

extension SecretsFile.Owner {
    /// Whether the entry is for a device, a model or a vendor.
    fileprivate var scope: String {
        switch self {
        case .address, .id: "device"
        case .model: "model"
        case .vendor: "vendor"
        }
    }
}

extension SecretsFile.Entry {
    /// Why the entry is not valid; nil if its owner allows no conclusion, or it is valid.
    fileprivate var flaw: String? {
        switch owner {
        case .vendor("kkm") where !KBeaconSession.passwordLengths.contains(secret.bytes.count):
            "a KBeacon's password has 8 to 16 bytes"
        case .vendor("feasycom") where !secret.bytes.allSatisfy { (0x30...0x39).contains($0) }:
            "a PIN has digits only"
        default: nil
        }
    }
}
