package import ArgumentParser
package import CommandKit
import RadioCommands
import Tray

/// Units, if there is no tray file, and how the slots of a tray file are filled.
package struct UnitOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Update all beacons that match this condition, as with scan --filter; if repeated, all must match.",
            valueName: "condition"),
        transform: Self.condition)
    var rule: [SightingFilter] = []
    @Option(
        help: ArgumentHelp(
            "The expected number of units: refuse to start with more, report missing ones.",
            valueName: "units")
    )
    package var expected: Int?
    @Flag(help: "Also take releases of the beta channel.") package var beta = false
    @OptionGroup package var source: CatalogueOptions
    @Option(
        name: .customLong("scan-for"),
        help: ArgumentHelp(
            "How long to scan for matching beacons.", valueName: "seconds"))
    var scanFor = 10.0

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write the settings in this file to units after the firmware update; may be repeated for other kinds of beacons. Replaces the tray's `config`.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: [String] = []

    @Option(
        help: ArgumentHelp(
            "Fill the tray's empty slots with the codes in this file, one a line; - reads a code scanner on stdin.",
            valueName: "file"),
        completion: .file())
    var codes: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Accept codes that are otherwise refused, without asking: move (from another slot), replace (the beacon of a slot), unknown (not heard), again (already passed).",
            valueName: "decision"))
    var allow: [ScanDecision] = []
    @Option(
        help: ArgumentHelp(
            "Write a tray file with the beacons that match the conditions, and update none.",
            valueName: "file"
        ),
        completion: .file())
    var fromScan: String?

    private static func condition(_ text: String) throws -> SightingFilter {
        do throws(FilterError) { return try SightingFilter(text) } catch { throw ValidationError("\(error)") }
    }

    /// The file of the key that must have signed the catalogue; nil if no signature is required.
    package var catalogueKey: String? {
        get { source.requireSignedCatalogue }
        set { source.requireSignedCatalogue = newValue }
    }

    /// Why these options cannot be used with a work order; nil if they can.
    package func flawUnderOrder(inTrayFolder isBesideTray: Bool) -> String? {
        if fromScan != nil {
            return "--from-scan only writes a tray file: use it with `beacon-dfu batch`"
        }
        if isBesideTray, hasRule { return "give --tray or --rule, not both" }
        return source.catalogue != nil || beta
            ? "the order sets the firmware: omit --catalogue and --beta" : nil
    }

    /// Whether conditions select the beacons.
    package var hasRule: Bool { !rule.isEmpty }

    package func validate() throws {
        guard allow.isEmpty || codes != nil else { throw ValidationError("--allow requires --codes") }
        guard codes == nil || rule.isEmpty else {
            throw ValidationError("--codes fills the slots of a tray file: omit --rule")
        }
        guard fromScan == nil || !rule.isEmpty else {
            throw ValidationError("--from-scan requires --rule to select the beacons")
        }
        guard expected.map({ (1...1000).contains($0) }) ?? true else {
            throw ValidationError("--expected is a number from 1 to 1000")
        }
        guard scanFor > 0, scanFor <= 3600 else {
            throw ValidationError("--scan-for is a number of seconds, above 0 and at most 3600")
        }
    }

    /// Creates options to be parsed.
    package init() {}
}

/// A decision to accept codes that are otherwise refused.
enum ScanDecision: String, CaseIterable, ExpressibleByArgument {
    case move
    case replace
    case unknown
    case again

    var override: ScanOverride {
        switch self {
        case .move: .move
        case .replace: .replace
        case .unknown: .unknown
        case .again: .again
        }
    }
}
