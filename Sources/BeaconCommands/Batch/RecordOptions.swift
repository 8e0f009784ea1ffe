import ArgumentParser
import Hooks

/// Where a run is written down, and for whom.
package struct RecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Option(help: ArgumentHelp("The bench, for the record.", valueName: "name")) var station: String?
    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("Who works at it, for the record.", valueName: "name"))
    var operatorName: String?
    @Option(help: ArgumentHelp("The work order, for the record.", valueName: "text")) var orderNumber: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write the report of the whole run to this file; its name says how: .html, .csv, .kkm.csv, .json or .xml (JUnit).",
            valueName: "file"),
        completion: .file())
    var report: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            Run this command for every finished unit, with JSON on its input; may be repeated. docs/guide/trays.md says \
            what its exit code means.
            """, valueName: "name=command"),
        transform: Hook.reading)
    private var hook: [Hook] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Let hooks have this variable of the environment, too; may be repeated.", valueName: "variable"))
    private var hookEnv: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Serve a page on which the run can be watched, and worked at; needs the package beacon-dfu-station."
        )
    )
    package var view = false

    package mutating func validate() throws {
        guard Set(hook.map(\.name)).count == hook.count else {
            throw ValidationError("two hooks have one name")
        }
        guard hookEnv.isEmpty || !hook.isEmpty else { throw ValidationError("--hook-env is about --hook") }
        guard hookEnv.allSatisfy({ !$0.isEmpty && !$0.contains("=") }) else {
            throw ValidationError(
                "--hook-env takes the name of a variable; its value comes from the environment")
        }
    }

    /// The commands that learn of finished units.
    var hooks: [Hook] {
        hook.map { hook in
            var hook = hook
            hook.variables = Set(hookEnv)
            return hook
        }
    }

    /// Where the journal is.
    package var journalPlace: String { get throws { try journal.path() } }

    /// Options that are to be read.
    package init() {}
}
