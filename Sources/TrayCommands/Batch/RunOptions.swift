package import ArgumentParser
package import CommandKit
import Tray
import TrayJournal

package struct RunOptions: ParsableArguments {
    /// What counts as passed in addition to a version that was read back.
    enum Acceptance: String, CaseIterable, ExpressibleByArgument { case reappeared }

    @Flag(help: "Resume the latest run of this tray, if it is not complete.") var resume = false
    @Flag(help: "Resume the latest run of this tray, and retry units that do not have their firmware.")
    var retryFailed = false
    @Flag(
        name: .customLong("no-golden"),
        help: "Start all units at once. Default: one alone, and the others when it has passed.")
    var hasNoGolden = false
    @Option("Start no further unit after more failures than this.", valueName: "units") var maxFailures: Int?
    @Option("The most simultaneous links on one adapter.", valueName: "links") var links: Int?
    @Option(
        "Also count as passed: reappeared (a unit that confirmed the image and came back in its application, but does not report a version).",
        valueName: "result")
    var accept: [Acceptance] = []

    package func validate() throws {
        try require(!(resume && retryFailed), "--retry-failed includes --resume: give only one of them")
        try require(
            maxFailures.map({ (0...1000).contains($0) }) ?? true, "--max-failures is a number from 0 to 1000")
        _ = try limits(over: TrayLimits())
    }

    /// The tray's limits, overridden by those of the command line.
    func limits(over tray: TrayLimits) throws -> TrayLimits {
        do throws(TrayFileError) { return try tray.allowing(links: links) } catch {
            throw ValidationError("--links: \(error.message)")
        }
    }

    /// The rules for `count` units. `isProven`: whether the firmware needs no golden unit.
    func rules(for count: Int, _ limits: TrayLimits, isProven: Bool) -> ScheduleRules {
        var rules = ScheduleRules(hasGolden: !hasNoGolden && !isProven && count > 1)
        let byShare = limits.failurePercent.map { count * $0 / 100 }
        if let most = [maxFailures, byShare].compactMap(\.self).min() {
            // A limit that the user sets replaces the default rules.
            rules.hold = [.share(failures: most + 1, ofLast: count)]
        }
        rules.unitTime = limits.unitSeconds.map { .seconds($0) }
        rules.trayTime = limits.traySeconds.map { .seconds($0) }
        return rules
    }

    package init() {}
}

package struct RecordOptions: ParsableArguments {
    @OptionGroup package var journal: JournalOptions
    @Option("The bench's name, for the record.", valueName: "name") var station: String?
    @Option("The operator's name, for the record.", name: .customLong("operator"), valueName: "name")
    var operatorName: String?
    @Option("The work order, for the record.", valueName: "text") var orderNumber: String?

    @Option(
        "Write the report of the whole run to this file; the ending sets the format: .html, .csv, .kkm.csv, .json or .xml (JUnit).",
        valueName: "file", completion: .file())
    package var report: [String] = []

    @Option(
        """
        Run this command for every finished unit, with JSON on its stdin; may be repeated. docs/guide/trays.md \
        explains its exit codes.
        """, valueName: "name=command")
    private var hook: [Hook] = []

    @Option("Also pass this environment variable to hooks; may be repeated.", valueName: "variable")
    private var hookEnv: [String] = []

    @Flag(help: "Serve a web page to watch and control the run; needs the package beacon-dfu-station.")
    package var view = false

    package mutating func validate() throws {
        try require(Set(hook.map(\.name)).count == hook.count, "two hooks have the same name")
        try require(hookEnv.isEmpty || !hook.isEmpty, "--hook-env requires --hook")
        try require(
            hookEnv.allSatisfy({ !$0.isEmpty && !$0.contains("=") }),
            "--hook-env takes the name of a variable; its value comes from the environment")
    }

    var hooks: [Hook] {
        hook.map { hook in
            var hook = hook
            hook.variables = Set(hookEnv)
            return hook
        }
    }

    package var journalPlace: String { get throws { try journal.path() } }

    package init() {}
}
