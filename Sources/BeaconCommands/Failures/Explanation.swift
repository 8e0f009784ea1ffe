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

    static let all = [
        commandLine, files, legacyFiles, images, findings, legacyFindings, release, device, refusals,
        legacyRefusals, suota, outcomes,
    ].flatMap(\.self).sorted { $0.code < $1.code }
}
