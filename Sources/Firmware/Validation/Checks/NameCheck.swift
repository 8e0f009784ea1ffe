import Bytes
import UpdateModel

/// Compares a file's name with its content. The name never decides what a file is.
struct NameCheck {
    let name: String
    let file: any VendorFile

    init(path: String, file: any VendorFile) {
        name = Self.name(in: path)
        self.file = file
    }

    private static func name(in path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Findings about the extension, and about a version in the name.
    var findings: [Finding] { extensionFindings + (file.findings(onName: name) ?? versionFindings) }

    /// Findings about the name of the file at `path`, which has to match one of `patterns`.
    static func findings(_ path: String, against patterns: [Glob]) -> [Finding] {
        let name = name(in: path)
        guard !patterns.isEmpty, !patterns.contains(where: { $0.matches(name) }) else { return [] }
        let wanted = patterns.map(\.pattern).joined(separator: " or ")
        return [Finding(.release.fileNamePattern, .error, "the file name \(name) does not match \(wanted)")]
    }

    private var extensionFindings: [Finding] {
        let usual = file.usualExtension
        guard !name.lowercased().hasSuffix(usual) else { return [] }
        return [
            Finding(
                .release.fileNameExtension, .error, "the file is called \(name), but tools look for \(usual)")
        ]
    }

    private var versionFindings: [Finding] {
        guard let version = file.summary.version, !version.text.isEmpty, let named = dottedVersion,
            !version.agrees(with: named)
        else { return [] }
        return [
            Finding(
                .finding.fileNameVersion, .error,
                "the name says \(named), but the content says \(version.text)")
        ]
    }

    /// The first run of digits with at least one point, such as 2.7.31.
    private var dottedVersion: String? {
        name.split { !($0.isNumber && $0.isASCII) && $0 != "." }
            .map { $0.split(separator: ".").map(String.init) }
            .first { $0.count >= 2 && $0.allSatisfy { $0.count <= 5 } }?
            .joined(separator: ".")
    }
}
