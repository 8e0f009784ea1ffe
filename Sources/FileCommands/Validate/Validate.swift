import ArgumentParser
import Bytes
import CommandKit
import Firmware
import FoundationEssentials
import Glibc
import UpdateModel

enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case text, json, junit, sarif, github }

package struct Validate: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check firmware before its release, without a radio.",
        discussion: """
            Example: `beacon-dfu validate dist/ --public-key product.pem --strict --format sarif`.

            Exits with 0 when every file may be released, and with 1 when one may not.
            """)

    @Argument(help: "The files to check, and folders of such files.", completion: .file())
    var files: [String] = []
    @Option("The public key that the products' bootloaders hold.", valueName: "file") var publicKey: String?
    @OptionGroup var releases: CatalogueOptions
    @Option(
        "The beacon that must accept the file, as key=value pairs: "
            + "\(TargetDevice.keyNames.joined(separator: ", ")).",
        valueName: "key=value,…")
    var target: String?
    @Option("Levels of rules and patterns of file names, in YAML.", valueName: "file") var rules: String?
    @Option("Earlier releases, which beacons must be able to distinguish from this one.", valueName: "file")
    var earlier: [String] = []
    @Option(help: "The format of the findings.") var format: ReportFormat?
    @Option(
        "The SARIF category. Give each gate that checks one commit its own. Default: beacon-dfu.",
        valueName: "name")
    var sarifCategory: String?
    @Option("The address of the page with the rules, for links in SARIF.", valueName: "url")
    var sarifHelp: String?
    @Flag(help: "Fail files with warnings.") var strict = false
    @Flag(help: "Print every rule and exit.") var listRules = false
    @OptionGroup var plain: PlainOptions

    package func validate() throws {
        try releases.refuseKeyAlone()
        try require(listRules || !files.isEmpty, "no file is given: name the files or folders to check")
        try require(
            !common.json || format == nil || format == .json,
            "--json and --format \(format?.rawValue ?? "") contradict each other")
        try require(
            format == .sarif || (sarifCategory == nil && sarifHelp == nil),
            "--sarif-category and --sarif-help require --format sarif")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        // Here --json selects a report format.
        let format = common.json ? .json : format ?? .text
        let rules = try ruleSet()
        if listRules {
            let list = RuleList(rules: rules)
            if format != .json, isatty(STDOUT_FILENO) == 1 {
                console.prose(list.rows.map { TerminalText($0) })
            } else {
                list.lines(format).forEach { console.document($0) }
            }
            return .done
        }
        let gate = try await gate(rules)
        let selection = FileSelection(files)
        let origin = SARIFReport.Origin(
            version: Program.version, folder: FileManager.default.currentDirectoryPath,
            category: sarifCategory ?? "beacon-dfu", help: sarifHelp)
        let run = ValidationRun(
            gate: gate, format: format, isStrict: strict, origin: origin, console: console)
        return try await run.check(selection, after: FileSelection(earlier).candidates)
    }

    private func gate(_ rules: RuleSet) async throws -> Gate {
        var gate = Gate()
        gate.rules = rules
        gate.now = WallTime.unixNow
        if let publicKey { try gate.options.trustKey(at: publicKey) }
        gate.catalogue = try await releases.folderIfNamed()?.catalogue
        if let target {
            do throws(TargetProblem) { gate.target = try TargetDevice(parsing: target) } catch {
                throw CommandFailure(
                    .command.targetInvalid, during: "reading --target", message: "\(error)", exit: .usage)
            }
        }
        return gate
    }

    private func ruleSet() throws(CommandFailure) -> RuleSet {
        guard let rules else { return RuleSet() }
        let file = try FileContent(path: rules)
        do throws(YAMLProblem) { return try RuleSet(parsing: file.bytes) } catch {
            throw CommandFailure(.command.rulesInvalid, during: "reading the rules", error, in: rules)
        }
    }
}

/// Every rule, with its configured level and the failure that it prevents.
struct RuleList {
    let rules: RuleSet

    /// A Markdown table, for a page, or a JSON object for each rule.
    func lines(_ format: ReportFormat) -> [String] {
        switch format {
        case .json: Rule.all.map { line($0).text }
        case .text, .junit, .sarif, .github:
            ["| rule | about | level | what it prevents |", "|---|---|---|---|"]
                + Rule.all.map { rule in
                    "| `\(rule.id)` | \(rule.category.rawValue) | \(level(rule)) | \(rule.prevents) |"
                }
        }
    }

    /// Two lines for each rule, for a terminal.
    var rows: [String] {
        Rule.all.flatMap { rule in
            let level = level(rule)
            let gap = String(repeating: " ", count: max(1, 9 - level.count))
            return ["\(level)\(gap)\(rule.id) (\(rule.category.rawValue))", "         \(rule.prevents)"]
        }
    }

    private func level(_ rule: Rule) -> String { rules.level(of: rule)?.rawValue ?? "off" }

    private func line(_ rule: Rule) -> JSONLine {
        JSONLine("rule").adding([
            "id": .text(rule.id), "category": .text(rule.category.rawValue), "level": .text(level(rule)),
            "prevents": .text(rule.prevents),
        ])
    }
}
