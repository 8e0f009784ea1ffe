package import ArgumentParser
package import CommandKit
import TrayJournal

/// Where a run is recorded, and for whom.
package struct RecordOptions: ParsableArguments {
    @OptionGroup package var journal: JournalOptions
    @Option(help: ArgumentHelp("The bench's name, for the record.", valueName: "name")) var station: String?
    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("The operator's name, for the record.", valueName: "name"))
    var operatorName: String?
    @Option(help: ArgumentHelp("The work order, for the record.", valueName: "text")) var orderNumber: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write the report of the whole run to this file; the ending sets the format: .html, .csv, .kkm.csv, .json or .xml (JUnit).",
            valueName: "file"),
        completion: .file())
    package var report: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            Run this command for every finished unit, with JSON on its stdin; may be repeated. docs/guide/trays.md \
            explains its exit codes.
            """, valueName: "name=command"),
        transform: Hook.reading)
    private var hook: [Hook] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Also pass this environment variable to hooks; may be repeated.", valueName: "variable"))
    private var hookEnv: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Serve a web page to watch and control the run; needs the package beacon-dfu-station."
        )
    )
    package var view = false

    package mutating func validate() throws {
        guard Set(hook.map(\.name)).count == hook.count else {
            throw ValidationError("two hooks have the same name")
        }
        guard hookEnv.isEmpty || !hook.isEmpty else { throw ValidationError("--hook-env requires --hook") }
        guard hookEnv.allSatisfy({ !$0.isEmpty && !$0.contains("=") }) else {
            throw ValidationError(
                "--hook-env takes the name of a variable; its value comes from the environment")
        }
    }

    /// The commands to run for finished units.
    var hooks: [Hook] {
        hook.map { hook in
            var hook = hook
            hook.variables = Set(hookEnv)
            return hook
        }
    }

    /// The path of the journal.
    package var journalPlace: String { get throws { try journal.path() } }

    /// Creates options to be parsed.
    package init() {}
}
