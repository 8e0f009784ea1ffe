/// The long form of a code: what it means, why it happens, and what to do.
struct Explanation: Sendable {
    let code: String
    let meaning: String
    let nextStep: String
    let exit: ExitStatus

    init(_ code: String, _ exit: ExitStatus, _ meaning: String, next nextStep: String) {
        self.code = code
        self.exit = exit
        self.meaning = meaning
        self.nextStep = nextStep
    }

    /// The entry of `code`; an unknown one is our omission, and says so.
    static func of(_ code: String) -> Explanation {
        known(code)
            ?? Explanation(
                code, .failed, "This code has no explanation yet.",
                next: "report it with the output of the same command and --log-level debug")
    }

    static func known(_ code: String) -> Explanation? {
        all.first { $0.code == code }
    }

    /// The first sentence of the meaning.
    var summary: String {
        String(meaning.firstRange(of: /\.(?= |$)/).map { meaning[..<$0.lowerBound] } ?? meaning[...])
    }

    /// All entries by what they are about.
    static let groups: [(title: String, entries: [Explanation])] = [
        ("Command line, adapter and files of options", commandLine),
        ("Files", files + legacyFiles + images),
        ("Findings", findings + legacyFindings),
        ("Release", release),
        ("Devices", device),
        ("What bootloaders refuse", refusals + legacyRefusals),
        ("SUOTA", suota),
        ("Outcomes", outcomes),
    ].map { ($0, $1.sorted { $0.code < $1.code }) }

    static let all = groups.flatMap(\.entries).sorted { $0.code < $1.code }
}
