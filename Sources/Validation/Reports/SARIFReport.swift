import ByteCoding
import Digests
import FirmwareModel
import FoundationEssentials

/// Reports as a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
public enum SARIFReport {
    /// The help text of a rule.
    public struct Explanation: Sendable {
        let meaning: String
        let nextStep: String

        /// What a breach means and what to do about it.
        public init(meaning: String, nextStep: String) {
            self.meaning = meaning
            self.nextStep = nextStep
        }
    }

    /// The whole log: every rule that was broken, and every breach.
    public static func text(
        _ reports: [FileReport], version: String, explain: (String) -> Explanation
    ) -> String {
        let ids = Set(reports.flatMap(\.findings).map(\.id)).sorted()
        let index = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        let log = Log(
            schema:
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [
                Run(
                    tool: Tool(
                        driver: Driver(
                            name: "beacon-dfu", version: version,
                            rules: ids.map { descriptor($0, explain($0)) })),
                    artifacts: reports.map(artifact),
                    results: reports.enumerated().flatMap { number, report in
                        report.findings.map { result($0, of: report, number, rule: index[$0.id] ?? 0) }
                    }, columnKind: "unicodeCodePoints",
                    invocations: [Invocation(executionSuccessful: !reports.contains(where: \.isUnreadable))])
            ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let text = String(decoding: (try? encoder.encode(log)) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map { VisibleText.escaped(json: String($0)) + "\n" }.joined()
    }

    private static func descriptor(_ id: String, _ explanation: Explanation) -> Descriptor {
        let rule = Rule.named(id)
        return Descriptor(
            id: id, name: name(of: id), shortDescription: Message(text: explanation.meaning),
            fullDescription: Message(text: rule?.prevents ?? explanation.meaning),
            help: Message(text: explanation.nextStep),
            defaultConfiguration: Configuration(level: rule?.level.rawValue ?? "error"),
            properties: Properties(tags: [rule?.category.rawValue ?? "integrity"]))
    }

    private static func artifact(_ report: FileReport) -> Artifact {
        Artifact(
            location: ArtifactLocation(uri: uri(report.path), index: nil), length: report.bytes,
            hashes: report.sha256.map { ["sha-256": $0] })
    }

    private static func result(_ finding: Finding, of report: FileReport, _ number: Int, rule: Int) -> Outcome
    {
        let place = finding.place
        let names = [place.entry, place.field].compactMap(\.self)
        // A byte that is there: a place at the end is that of what is missing.
        let offset = place.offset.map { max(0, min($0, (report.bytes ?? 1) - 1)) }
        return Outcome(
            ruleId: finding.id, ruleIndex: rule, level: finding.level.rawValue,
            message: Message(text: PathText.shown("\(finding)")),
            locations: [
                Location(
                    physicalLocation: PhysicalLocation(
                        artifactLocation: ArtifactLocation(uri: uri(report.path), index: number),
                        region: Region(byteOffset: offset, byteLength: offset.map { _ in 1 })),
                    logicalLocations: names.isEmpty
                        ? nil : [LogicalLocation(fullyQualifiedName: names.joined(separator: "/"))])
            ], partialFingerprints: ["beaconFinding/v1": fingerprint(of: finding, in: report)])
    }

    /// Identifies a flaw of a file across runs, also when the file was built again.
    private static func fingerprint(of finding: Finding, in report: FileReport) -> String {
        let parts = [finding.id, report.path, finding.place.entry ?? "", finding.place.field ?? ""]
        return HexText.encode(SHA256Digest.digest(Array(parts.joined(separator: "\0").utf8)))
    }

    /// A rule's name as an identifier: `hash-mismatch` is `HashMismatch`.
    private static func name(of id: String) -> String {
        id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A path as a reference: relative ones stay relative, to wherever the log is read.
    private static func uri(_ path: String) -> String {
        let safe = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let escaped = PathText.bytes(of: path).reduce(into: "") { text, byte in
            if safe.contains(byte) {
                text.append(Character(Unicode.Scalar(byte)))
            } else {
                text += "%" + HexText.digits(byte, uppercase: true)
            }
        }
        return path.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
