import ArgumentParser
import Tray

/// Which units, where no tray file says so.
package struct UnitOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Update all beacons that meet this condition, as --filter of scan has it; several must all hold.",
            valueName: "condition"),
        transform: Self.condition)
    var rule: [SightingFilter] = []
    @Option(
        help: ArgumentHelp("Refuse to begin with more units than this, and report fewer.", valueName: "units")
    )
    var expected: Int?
    @Flag(help: "Take releases of the channel beta too.") var beta = false
    @OptionGroup var source: CatalogueOptions
    @Option(
        name: .customLong("scan-for"),
        help: ArgumentHelp(
            "How long to listen for who meets the condition.", valueName: "seconds"))
    var scanFor = 10.0

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Bring units to the settings in this file once their firmware is right; several, each for one kind. In place of the tray's `config`.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: [String] = []

    @Option(
        help: ArgumentHelp(
            "Fill the tray's empty slots with the codes in this file, a line each; - for a scanner at the keyboard.",
            valueName: "file"),
        completion: .file())
    var codes: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Take codes that are otherwise refused, without asking: move (from another slot), replace (the beacon of a slot), unknown (not heard), again (passed already).",
            valueName: "decision"))
    var allow: [ScanDecision] = []
    @Option(
        help: ArgumentHelp(
            "Write a tray file with the beacons that meet the conditions, and update none.", valueName: "file"
        ),
        completion: .file())
    var fromScan: String?

    private static func condition(_ text: String) throws -> SightingFilter {
        do throws(FilterError) { return try SightingFilter(text) } catch { throw ValidationError("\(error)") }
    }

    /// The file of the key that has to have signed the catalogue; nil where none has to be signed.
    package var catalogueKey: String? {
        get { source.requireSignedCatalogue }
        set { source.requireSignedCatalogue = newValue }
    }

    /// Why these options cannot be where an order says what its units get; nil where they can.
    package func flawUnderOrder(inTrayFolder isBesideTray: Bool) -> String? {
        if fromScan != nil {
            return "--from-scan writes a tray file, which `beacon-dfu batch` does, and works at none"
        }
        if isBesideTray, hasRule { return "--tray or --rule: one of them says which units are here" }
        return source.catalogue != nil || beta
            ? "the order says what its units get, not --catalogue or --beta" : nil
    }

    /// Whether a condition says which beacons are meant.
    package var hasRule: Bool { !rule.isEmpty }

    package func validate() throws {
        guard allow.isEmpty || codes != nil else { throw ValidationError("--allow is about --codes") }
        guard codes == nil || rule.isEmpty else {
            throw ValidationError("--codes fills the slots of a tray file, and --rule takes whoever is heard")
        }
        guard fromScan == nil || !rule.isEmpty else {
            throw ValidationError("--from-scan writes a tray of whom --rule means: name the condition")
        }
        guard expected.map({ (1...1000).contains($0) }) ?? true else {
            throw ValidationError("--expected is a number from 1 to 1000")
        }
        guard scanFor > 0, scanFor <= 3600 else {
            throw ValidationError("--scan-for is a number of seconds, from above 0 to 3600")
        }
    }

    /// Options that are to be read.
    package init() {}
}

/// What an operator decides about codes that are refused otherwise.
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
