package import ArgumentParser
import Bytes
import CommandKit
import Firmware
import Glibc
import UpdateModel

package struct SecretsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "secrets", abstract: "Manage the file of passwords and PINs.",
        discussion: "Example: `beacon-dfu secrets check secrets.yaml`.", subcommands: [CheckSecrets.self])

    package init() {}
}

struct CheckSecrets: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a file of passwords and PINs, without a radio.",
        discussion: """
            Example: `beacon-dfu secrets check secrets.yaml`.

            Prints which beacons have an entry, never the secret itself. A file that others may read is refused.
            """)

    @Argument(
        help: ArgumentHelp("The file.", valueName: "path"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String
    @OptionGroup var plain: PlainOptions

    var inputs: [String?] { [file] }

    func perform(_ console: Console) async throws -> ExitStatus {
        let secrets = try SecretsOptions.read(file)
        var flaws = 0
        for entry in secrets.entries {
            let flaw = entry.flaw
            if flaw != nil { flaws += 1 }
            let words = flaw.map { "wrong: \($0)" } ?? "ok"
            console.report(
                JSONLine("secret").adding([
                    "for": .text(entry.key), "scope": .text(entry.owner.scope), "line": .integer(entry.line),
                    "flaw": .optional(flaw),
                ]), ["line \(entry.line)  \(entry.owner.scope) \(entry.key)  \(words)"])
        }
        if secrets.entries.isEmpty { console.warn(.command.secretsEmpty, "\(file) has no entries") }
        guard flaws > 0 else { return .done }
        throw CommandFailure(
            .command.secretsInvalid, during: "checking the passwords",
            message: "\(flaws) of \(secrets.entries.count) entries are not valid")
    }
}

extension SecretsFile.Owner {
    fileprivate var scope: String {
        switch self {
        case .address, .id: "device"
        case .model: "model"
        case .vendor: "vendor"
        }
    }
}

extension SecretsFile.Entry {
    /// Why the entry is not valid; nil if it is valid, or is not for a vendor, so that no rules for it are known.
    fileprivate var flaw: String? {
        guard case .vendor(let name) = owner,
            let rules = KnownVendors.withSessions.first(where: { $0.name == name })?.secretRules
        else { return nil }
        return rules.allows(secret) ? nil : rules.form
    }
}
