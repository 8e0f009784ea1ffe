package import Bytes
import FoundationEssentials
package import UpdateModel

/// Reports as a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
package enum SARIFReport {
    package struct Origin: Sendable {
        let version: String
        let folder: String
        let category: String
        let help: String?

        /// The program of `version` in the working `folder`. `category` distinguishes several gates of one
        /// change; `help` is the address of the page with the rules.
        package init(version: String, folder: String, category: String = "beacon-dfu", help: String? = nil) {
            (self.version, self.folder, self.category, self.help) = (version, folder, category, help)
        }
    }

    /// The whole log: every broken rule, and every finding. `words` writes advice with the program's options.
    package static func text(
        _ reports: [FileReport], from origin: Origin, words: (Advice) -> String
    ) -> String {
        let codes = Set(reports.flatMap(\.findings).map(\.code)).sorted { $0.rawValue < $1.rawValue }
        let index = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1.rawValue, $0) })
        let driver: JSONValue = .object([
            "name": .text("beacon-dfu"), "version": .text(origin.version),
            "semanticVersion": .text(origin.version),
            "rules": .list(codes.map { descriptor($0, words($0.nextStep), help: origin.help) }),
        ])
        let run: JSONValue = .object([
            "tool": .object(["driver": driver]),
            // The part of the identifier before the last slash is the category in code scanning.
            "automationDetails": .object(["id": .text(origin.category + "/")]),
            "artifacts": .list(reports.map { artifact($0, origin.folder) }),
            "results": .list(
                reports.enumerated().flatMap { number, report in
                    results(of: report, number, in: origin.folder) { index[$0] ?? 0 }
                }),
            "columnKind": .text("unicodeCodePoints"),
            "invocations": .list([
                .object(["executionSuccessful": .bool(!reports.contains(where: \.isUnreadable))])
            ]),
        ])
        let log: JSONValue = .object([
            "$schema": .text(
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"),
            "version": .text("2.1.0"), "runs": .list([run]),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let text = String(decoding: (try? encoder.encode(log)) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map { VisibleText.escaped(json: String($0)) + "\n" }.joined()
    }

    private static func descriptor(_ code: FailureCode, _ nextStep: String, help: String?) -> JSONValue {
        let (id, rule) = (code.rawValue, code.rule)
        return .members([
            "id": .text(id), "name": .text(name(of: id)), "shortDescription": message(code.meaning),
            "fullDescription": message(rule?.prevents ?? code.meaning),
            "help": .object([
                "text": .text(nextStep), "markdown": .text("\(code.meaning)\n\n**Next:** \(nextStep)"),
            ]),
            "helpUri": help.map { .text($0 + "#" + id) },
            "defaultConfiguration": .object(["level": .text(rule?.level.rawValue ?? "error")]),
            "properties": .object([
                "tags": .list([.text(rule?.category.rawValue ?? "integrity")]),
                "problem.severity": .text(severity(rule?.level ?? .error)), "precision": .text("very-high"),
            ]),
        ])
    }

    private static func message(_ text: String) -> JSONValue { .object(["text": .text(text)]) }

    private static func severity(_ level: FindingLevel) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .note: "recommendation"
        }
    }

    private static func artifact(_ report: FileReport, _ folder: String) -> JSONValue {
        .members([
            "location": .object(["uri": .text(ReportPath(report.path, in: folder).uri)]),
            "length": .optional(report.bytes),
            "hashes": report.sha256.map { .object(["sha-256": .text($0)]) },
        ])
    }

    private static func results(
        of report: FileReport, _ number: Int, in folder: String, index: (String) -> Int
    ) -> [JSONValue] {
        let path = ReportPath(report.path, in: folder)
        var seen: [String: Int] = [:]
        return report.findings.map { finding in
            let print = fingerprint(of: finding, in: path)
            seen[print, default: 0] += 1
            return .object([
                "ruleId": .text(finding.id), "ruleIndex": .integer(index(finding.id)),
                "level": .text(finding.level.rawValue), "message": message(PathText.shown("\(finding)")),
                "locations": .list([location(of: finding.place, in: report, number, uri: path.uri)]),
                "partialFingerprints": .object([
                    "beaconFinding/v1": .text(print),
                    // The value that code scanning compares, with a count of equal ones in the file.
                    "primaryLocationLineHash": .text(print.prefix(16) + ":\(seen[print] ?? 1)"),
                ]),
            ])
        }
    }

    private static func location(
        of place: Finding.Place, in report: FileReport, _ number: Int, uri: String
    ) -> JSONValue {
        let names = [place.entry, place.field].compactMap(\.self)
        // At most the last byte of the file: an offset at its end marks something missing.
        let offset = place.offset.map { max(0, min($0, (report.bytes ?? 1) - 1)) }
        return .members([
            "physicalLocation": .object([
                "artifactLocation": .object(["uri": .text(uri), "index": .integer(number)]),
                // For viewers of lines, such as code scanning, the whole file is line 1; the offset is for viewers
                // of bytes.
                "region": .members([
                    "startLine": .integer(1), "startColumn": .integer(1), "endLine": .integer(1),
                    "endColumn": .integer(2), "byteOffset": .optional(offset),
                    "byteLength": offset.map { _ in .integer(1) },
                ]),
            ]),
            "logicalLocations": names.isEmpty
                ? nil : .list([.object(["fullyQualifiedName": .text(names.joined(separator: "/"))])]),
        ])
    }

    /// Identifies a finding across runs, even if the file was rebuilt.
    private static func fingerprint(of finding: Finding, in path: ReportPath) -> String {
        let parts = [finding.id, path.text, finding.place.entry ?? "", finding.place.field ?? ""]
        return SHA256Digest.text(of: Array(parts.joined(separator: "\0").utf8))
    }

    /// A rule's name as an identifier: `hash-mismatch` is `HashMismatch`.
    private static func name(of id: String) -> String {
        id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

/// Encodes whole numbers as integers, which SARIF requires.
extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try Int?.none.encode(to: encoder)
        case .bool(let truth): try truth.encode(to: encoder)
        case .number:
            if let integer { try integer.encode(to: encoder) } else { try number.encode(to: encoder) }
        case .text(let text): try text.encode(to: encoder)
        case .list(let values): try values.encode(to: encoder)
        case .object(let members): try members.encode(to: encoder)
        }
    }
}

/// The path of a checked file in reports for code hosts: relative to the repository, if that is the working folder.
struct ReportPath: Equatable {
    /// Without `./`, doubled slashes and the working folder; paths outside it stay absolute.
    let text: String

    init(_ path: String, in folder: String) {
        var parts = path.split(separator: "/").filter { $0 != "." }
        let base = folder.split(separator: "/")
        var isAbsolute = path.hasPrefix("/")
        if isAbsolute, !base.isEmpty, parts.count > base.count, Array(parts.prefix(base.count)) == base {
            parts.removeFirst(base.count)
            isAbsolute = false
        }
        text = (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// As a URI: relative paths stay relative.
    var uri: String {
        let safe = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let escaped = PathText.bytes(of: text).reduce(into: "") { text, byte in
            if safe.contains(byte) {
                text.append(Character(Unicode.Scalar(byte)))
            } else {
                text += "%" + HexText.digits(byte, uppercase: true)
            }
        }
        return text.hasPrefix("/") ? "file://" + escaped : escaped
    }
}
