import FoundationEssentials

/// A command that learns of every finished unit: a label printer, an upload.
public struct Hook: Hashable, Sendable {
    /// What its entries in the outbox are called: they stay its own when the command changes.
    public let name: String
    /// What the shell runs (`/bin/sh -c`).
    public let command: String

    /// Variables of this program's environment that it has beside those of every hook.
    public var variables: Set<String> = []

    /// The command `command` under `name`.
    public init(name: String, command: String) { (self.name, self.command) = (name, command) }

    /// The hook of `NAME=COMMAND`, where the name is of letters, digits, `-`, `_` and `.`; nil for any other text.
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

/// The environment of a hook: what every program needs, what the hook was given by name, and what names the call. The program's own
/// environment may hold secrets (`PGPASSWORD`, tokens of a CI), which a label printer has no use for. (docs/guide/trays.md, Hooks)
struct HookEnvironment {
    let variables: [String: String]

    /// Those of every hook, beside the categories of the locale (`LC_…`).
    private static let passed: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    ]

    /// The environment of `hook` for `call`, out of `whole`.
    init(_ hook: Hook, _ call: HookCall, of whole: [String: String] = ProcessInfo.processInfo.environment) {
        variables =
            whole.filter {
                Self.passed.contains($0.key) || $0.key.hasPrefix("LC_") || hook.variables.contains($0.key)
            }
            .merging(["BEACON_DFU_KEY": call.key, "BEACON_DFU_TRIES": "\(call.tries)"]) { $1 }
    }
}
