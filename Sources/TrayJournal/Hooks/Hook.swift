import FoundationEssentials

/// A command that is called for every finished unit: a label printer, an upload.
public struct Hook: Hashable, Sendable {
    /// The name of its entries in the outbox: they remain its own when the command changes.
    public let name: String
    /// The shell command (`/bin/sh -c`).
    public let command: String

    /// Names of variables of this program's environment that it gets in addition to those of every hook.
    public var variables: Set<String> = []

    /// The command `command` under `name`.
    public init(name: String, command: String) { (self.name, self.command) = (name, command) }

    /// Parses `NAME=COMMAND`, with a name of letters, digits, `-`, `_` and `.`; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, (1...Self.mostLetters).contains(parts[0].utf8.count),
            parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
            parts[1].contains(where: { !$0.isWhitespace })
        else { return nil }
        self.init(name: parts[0], command: parts[1])
    }

    private static let mostLetters = 32
}

/// The environment of a hook: what every program needs, the variables that the hook was given by name, and the identity
/// of the call. The program's own environment may hold secrets (`PGPASSWORD`, tokens of a CI), which a label printer
/// does not need. (docs/guide/trays.md, Hooks)
struct HookEnvironment {
    let variables: [String: String]

    /// The variables of every hook, in addition to the categories of the locale (`LC_…`).
    private static let passed: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    ]

    /// The environment of `hook` for `call`, selected from `whole`.
    init(_ hook: Hook, _ call: HookCall, of whole: [String: String] = ProcessInfo.processInfo.environment) {
        variables =
            whole.filter {
                Self.passed.contains($0.key) || $0.key.hasPrefix("LC_") || hook.variables.contains($0.key)
            }
            .merging(["BEACON_DFU_KEY": call.key, "BEACON_DFU_TRIES": "\(call.tries)"]) { $1 }
    }
}
