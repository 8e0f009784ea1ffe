import FoundationEssentials

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
