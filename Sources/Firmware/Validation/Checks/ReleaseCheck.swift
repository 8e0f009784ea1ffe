import Bytes
import UpdateModel

/// Checks whether the file can be the next release, by its timestamp and by the catalogue.
struct ReleaseCheck {
    let file: any VendorFile

    func timestampFindings(now: UInt32?) -> [Finding] {
        guard let built = file.built, let now, built.seconds > now else { return [] }
        return [
            Finding(
                .release.timestampFuture, .error, built.place,
                "is \(Self.distance(built.seconds - now)) ahead of this machine's clock")
        ]
    }

    private static func distance(_ seconds: UInt32) -> String {
        seconds < 172_800 ? "\(seconds) s" : "\(seconds / 86_400) days"
    }

    /// The finding about a model that is not in the catalogue; nil if it is, or none is named.
    static func unknownModel(_ name: String?, in catalogue: Catalogue) -> Finding? {
        guard let name, catalogue.families(named: name).isEmpty else { return nil }
        return Finding(.release.targetModelUnknown, .error, "the catalogue has no model \(name)")
    }

    /// The finding about a model that takes packages of other kinds only; nil if it takes the file's kind, or if no
    /// model is named.
    private func otherKind(_ name: String?, in catalogue: Catalogue) -> Finding? {
        guard let name else { return nil }
        let kinds = catalogue.families(named: name).map(\.device.kind)
        guard !kinds.contains(file.kind) else { return nil }
        let words = kinds.map { "\($0)" }.joined(separator: " and ")
        return Finding(
            .release.targetModelUnknown, .error,
            "the catalogue's \(name) takes packages of kind \(words), but this one is of kind \(file.kind)")
    }

    /// Compares with the newest release of the model; the identical file does not count.
    func versionFindings(against catalogue: Catalogue, model name: String?, sha256: String) -> [Finding] {
        if let unknown = Self.unknownModel(name, in: catalogue) ?? otherKind(name, in: catalogue) {
            return [unknown]
        }
        guard let version = file.summary.version else { return [] }
        let candidates = families(in: catalogue, named: name)
        guard let family = candidates.first, candidates.count == 1 else {
            return [Finding(.release.catalogueModelUnknown, .error, Self.unknown(candidates))]
        }
        if let mismatch = file.mismatch(with: family.device) { return [mismatch] }
        guard let newest = family.newest, newest.sha256 != sha256,
            let old = VersionOrder(newest.versionInPackage), let new = VersionOrder(version.text), new <= old
        else { return [] }
        if new == old, let built = file.built, built.ordersReleases, let known = newest.timestamp,
            built.seconds > known
        {
            return []
        }
        let words =
            "\(version.text) is not above \(newest.versionInPackage), the newest version of \(family.name)"
        return [Finding(.release.versionNotNewer, .error, version.place, words)]
    }

    private func families(in catalogue: Catalogue, named name: String?) -> [CatalogueFamily] {
        if let name { return catalogue.families(named: name).filter { $0.device.kind == file.kind } }
        return catalogue.families.filter { file.names($0.device) }
    }

    private static func unknown(_ candidates: [CatalogueFamily]) -> String {
        candidates.isEmpty
            ? "the file does not name its model; name the model of the target"
            : "\(candidates.count) models of the catalogue match the file; name the model of the target"
    }
}

/// Compares a file's name with its content. The name never decides what a file is.
struct NameCheck {
    let name: String
    let file: any VendorFile

    init(path: String, file: any VendorFile) {
        name = path.lastName
        self.file = file
    }

    /// Findings about the extension, and about a version in the name.
    var findings: [Finding] { extensionFindings + (file.findings(onName: name) ?? versionFindings) }

    /// Findings about the name of the file at `path`, which has to match one of `patterns`.
    static func findings(_ path: String, against patterns: [Glob]) -> [Finding] {
        let name = path.lastName
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
