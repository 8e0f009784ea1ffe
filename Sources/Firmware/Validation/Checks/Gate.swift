import Bytes
public import UpdateModel

/// Decides whether a file may be released. It works offline, using only the file and these settings.
public struct Gate: Sendable {
    /// The level of each rule.
    public var rules = RuleSet()
    /// Settings for the vendors' checks, such as the public key in the products' bootloaders.
    public var options = UpdateOptions()
    /// The earlier releases.
    public var catalogue: Catalogue?
    /// A device that must accept the file.
    public var target: TargetDevice?
    /// The present time, in seconds since 1970 in UTC; without it no timestamp counts as in the future.
    public var now: UInt32?

    /// A gate with the default rules.
    public init() {}

    /// Checks the bytes of a file called `path`; with `isStream` its name is not checked.
    public func report(on bytes: [UInt8], named path: String, isStream: Bool = false) -> FileReport {
        let digest = HexText.encode(SHA256Digest.digest(bytes))
        do throws(FirmwareFileError) {
            let content = try PackageFile(recognising: bytes)
            let found = findings(content, bytes, named: isStream ? nil : path, sha256: digest)
                .compactMap { rules.finding($0) }
            let verdict = content.vendorFile.flatMap { file in
                target.map { FileVerdict(file.answers(of: $0, options)) }
            }
            let refusal = verdict?.finding(beside: found).map(rules.targetFinding)
            return FileReport(
                path: path, bytes: bytes.count, sha256: digest, kind: content.kindName,
                isForeign: content.vendorFile == nil, findings: found + (refusal.map { [$0] } ?? []),
                verdict: verdict, image: content.vendorFile?.identity)
        } catch {
            return FileReport(
                path: path, bytes: bytes.count, sha256: digest, kind: nil,
                findings: [rules.certainFinding(error.finding)])
        }
    }

    /// The report on a file that could not be read.
    public func report(unreadable path: String, code: String, _ message: String) -> FileReport {
        FileReport(path: path, findings: [rules.certainFinding(Finding(code, .error, message))])
    }

    private func findings(
        _ content: PackageFile, _ bytes: [UInt8], named path: String?, sha256: String
    ) -> [Finding] {
        switch content {
        case .firmware(let file):
            let release = ReleaseCheck(file: file)
            return file.releaseFindings(options, for: target)
                + (path.map { NameCheck(path: $0, file: file).findings } ?? [])
                + nameFindings(path) + release.timestampFindings(now: now)
                + (catalogue.map {
                    release.versionFindings(against: $0, model: target?.model, sha256: sha256)
                } ?? [])
        case .unsupported(let file):
            let own = Finding(bytes.isEmpty ? "file-empty" : file.kind.rule, .error, "\(file)")
            return [own] + nameFindings(path) + unknownModel
        }
    }

    private func nameFindings(_ path: String?) -> [Finding] {
        path.map { NameCheck.findings($0, against: rules.namePatterns) } ?? []
    }

    /// Reported even for a file without a version: the user who names a model expects a comparison.
    private var unknownModel: [Finding] {
        catalogue.flatMap { ReleaseCheck.unknownModel(target?.model, in: $0) }.map { [$0] } ?? []
    }
}

extension FileVerdict {
    /// The refusal as a finding, unless the content already has the same one.
    fileprivate func finding(beside others: [Finding]) -> Finding? {
        let id: String
        switch self {
        case .accepted: return nil
        case .refused(let rule, _, _): id = rule
        case .undecided: id = "target-undecided"
        }
        return others.contains { $0.id == id } ? nil : Finding(id, .error, "target: \(self)")
    }
}

extension UnsupportedFile.Kind {
    /// The rule that a file of this kind breaks.
    fileprivate var rule: String {
        switch self {
        case .mcuboot: "mcuboot-package"
        case .zip: "manifest-missing"
        default: "unsupported-file"
        }
    }
}
