import ArgumentParser
import Tray

/// How a run goes: what may happen at a time, and when it is held.
package struct RunOptions: ParsableArguments {
    /// What counts as passed beside a version that was read back.
    enum Acceptance: String, CaseIterable, ExpressibleByArgument {
        case reappeared
    }

    @Flag(help: "Go on with the latest run of this tray that has not come to its end.") var resume = false
    @Flag(help: "With the latest run of this tray, take up the units that are not on their firmware.")
    var retryFailed = false
    @Flag(
        name: .customLong("no-golden"),
        help: "Begin with all units at once. Default: one alone, and the others when it has passed.")
    var hasNoGolden = false
    @Option(help: ArgumentHelp("Begin no further unit after more failures than this.", valueName: "units"))
    var maxFailures: Int?
    @Option(help: ArgumentHelp("The most links at a time on one adapter.", valueName: "links")) var links:
        Int?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What passes beside a version that was read back: reappeared, a unit that has confirmed the image and come back in its application without telling a version.",
            valueName: "proof"))
    var accept: [Acceptance] = []

    package func validate() throws {
        guard !(resume && retryFailed) else {
            throw ValidationError(
                "--retry-failed takes up what --resume does, and the failed units too: one is enough")
        }
        guard maxFailures.map({ (0...1000).contains($0) }) ?? true else {
            throw ValidationError("--max-failures is a number from 0 to 1000")
        }
        _ = try limits(over: TrayLimits())
    }

    /// The tray's limits, with those of the command line.
    func limits(over tray: TrayLimits) throws -> TrayLimits {
        do throws(TrayFlaw) {
            return try TrayLimits(
                links: links ?? tray.links, attempts: tray.attempts, failurePercent: tray.failurePercent,
                unitSeconds: tray.unitSeconds, traySeconds: tray.traySeconds)
        } catch { throw ValidationError("--links: \(error.message)") }
    }

    /// By which rules `count` units are taken.
    func rules(for count: Int, _ limits: TrayLimits, isProven: Bool) -> ScheduleRules {
        var rules = ScheduleRules(hasGolden: !hasNoGolden && !isProven && count > 1)
        let byShare = limits.failurePercent.map { count * $0 / 100 }
        if let most = [maxFailures, byShare].compactMap(\.self).min() {
            // A limit that somebody has set stands in the place of the usual rules.
            rules.hold = [.share(failures: most + 1, ofLast: count)]
        }
        rules.unitTime = limits.unitSeconds.map { .seconds($0) }
        rules.trayTime = limits.traySeconds.map { .seconds($0) }
        return rules
    }

    /// Options that are to be read.
    package init() {}
}
