package import ArgumentParser
import Bytes
import FoundationEssentials
import Glibc
import Tray
package import TrayJournal

package struct JournalOptions: ParsableArguments {
    @Option(
        """
        The journal, a file. Default: beacon-dfu/journal.sqlite in the folder that XDG_STATE_HOME names, or in \
        ~/.local/state; for simulated beacons, journal-simulated.sqlite in the same folder.
        """, valueName: "path", completion: .file())
    package var journal: String?

    /// The journal's path, by the XDG Base Directory Specification if none is given: a folder that is not absolute is
    /// ignored. Simulated beacons have a journal of their own, unless one is named on the command line.
    package func path(
        simulated: Bool = false, _ environment: [String: String] = .ofProcess
    ) throws(ValidationError) -> String {
        if let journal { return journal }
        let folder = environment.folder("XDG_STATE_HOME") ?? environment.folder("HOME", "/.local/state")
        guard let usual = Defaults[.journal] ?? folder.map({ $0 + "/beacon-dfu/journal.sqlite" }) else {
            throw ValidationError("neither HOME nor XDG_STATE_HOME is set: give the journal with --journal")
        }
        return simulated ? Self.simulated(usual) : usual
    }

    /// The journal of simulated beacons next to the one at `path`: `journal-simulated.sqlite` for `journal.sqlite`.
    package static func simulated(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + "-simulated" }
        return path[..<dot] + "-simulated" + path[dot...]
    }

    package var isNamed: Bool { journal != nil }

    package init() {}
}

/// The journal to read: the usual one, or that of simulated beacons.
package struct JournalChoice: ParsableArguments {
    @OptionGroup package var journal: JournalOptions
    @Flag(help: "Use the journal of simulated beacons.") package var simulated = false

    package func validate() throws {
        try require(!simulated || !journal.isNamed, "give --simulated or --journal, not both")
    }

    /// The journal's path. If only the other one of simulated and real beacons exists, the error names it.
    package func path(
        _ environment: [String: String] = .ofProcess
    ) throws -> String {
        let path = try journal.path(simulated: simulated, environment)
        guard !journal.isNamed, access(path.systemPath, F_OK) != 0 else { return path }
        let other = try journal.path(simulated: !simulated, environment)
        guard access(other.systemPath, F_OK) == 0 else { return path }
        throw CommandFailure(
            .journal.missing, during: "opening the journal",
            message:
                "\(path): there is no journal; the one of \(simulated ? "real" : "simulated") beacons is \(other)",
            nextStep: simulated
                ? "leave --simulated out for real beacons, or flash a simulated beacon first, which creates this journal"
                : "add --simulated for simulated beacons, or flash a real beacon first, which creates the usual journal"
        )
    }

    package init() {}
}

extension CommandFailure {
    package init(_ error: JournalError) {
        self.init(error.code, during: "using the journal", message: "\(error)", nextStep: error.nextStep)
    }
}
