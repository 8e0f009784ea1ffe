import Synchronization

/// The long form of a code: what it means, why it happens, and what to do.
public struct Explanation: Sendable {
    package let code: String
    package let meaning: String
    package let nextStep: String
    package let exit: ExitStatus

    /// The entry of `code`, which makes the program exit with `exit`. The meaning is one or more sentences, the next
    /// step a clause without a full stop.
    public init(_ code: String, _ exit: ExitStatus, _ meaning: String, next nextStep: String) {
        self.code = code
        self.exit = exit
        self.meaning = meaning
        self.nextStep = nextStep
    }

    /// The entry of `code`; for an unknown code one that says that there is no explanation.
    package static func of(_ code: String) -> Explanation {
        known(code)
            ?? Explanation(
                code, .failed, "This code has no explanation yet.",
                next: "report it with the output of the same command and --log-level debug")
    }

    package static func known(_ code: String) -> Explanation? {
        own.first { $0.code == code } ?? added.withLock { $0.first { $0.code == code } }
    }

    /// Adds the entry of a code of a vendor that was added to this process; an existing entry of the code stays.
    public static func add(_ entry: Explanation) { added.withLock { $0.append(entry) } }

    private static let added = Mutex<[Explanation]>([])

    /// The first sentence of the meaning.
    package var summary: String {
        String(meaning.firstRange(of: /\.(?= |$)/).map { meaning[..<$0.lowerBound] } ?? meaning[...])
    }

    /// All entries by topic.
    package static var groups: [(title: String, entries: [Explanation])] {
        let others = added.withLock(\.self)
        return ownGroups + (others.isEmpty ? [] : [("Added vendors", others)])
    }

    private static let ownGroups: [(title: String, entries: [Explanation])] = [
        ("Command line, adapter and files of options", commandLine),
        ("Files", files + legacyFiles + images),
        ("Findings", findings + legacyFindings),
        ("Release", release),
        ("Catalogues", catalogue),
        ("Devices", device),
        ("Sessions", sessions),
        ("Journals", journal),
        ("Trays", tray),
        ("Stations", station),
        ("The work server of several stations", engine),
        ("The page of benches", page),
        ("What bootloaders refuse", refusals + legacyRefusals),
        ("SUOTA", suota),
        ("FBeacon", fbeacon),
        ("Outcomes", outcomes),
    ].map { ($0, $1.sorted { $0.code < $1.code }) }

    package static var all: [Explanation] { groups.flatMap(\.entries).sorted { $0.code < $1.code } }

    private static let own = ownGroups.flatMap(\.entries)
}
