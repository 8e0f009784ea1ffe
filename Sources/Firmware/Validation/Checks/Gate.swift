import Bytes
package import UpdateModel

/// Decides whether a file may be released. It works offline, using only the file and these settings.
package struct Gate: Sendable {
    package var rules = RuleSet()
    /// Settings for the vendors' checks, such as the public key in the products' bootloaders.
    package var options = UpdateOptions()
    /// The earlier releases.
    package var catalogue: Catalogue?
    package var target: TargetDevice?
    /// The present time, in seconds since 1970 in UTC; with nil, no timestamp counts as in the future.
    package var now: UInt32?

    package init() {}

    /// Checks the bytes of a file called `path`; with `isStream` its name is not checked.
    package func report(on bytes: [UInt8], named path: String, isStream: Bool = false) -> FileReport {
        let digest = SHA256Digest.text(of: bytes)
        do throws(FirmwareFileError) {
            let content = try PackageFile(recognising: bytes)
            let found = findings(content, bytes, named: isStream ? nil : path, sha256: digest)
                .compactMap { rules.finding($0) }
            let verdict = content.vendorFile.flatMap { file in
                target.map { FileVerdict(file.answers(of: $0, options)) }
            }
            let answer = verdict?.finding.map(rules.targetFinding)
            // A finding about the content with the same code and level makes the refusal superfluous.
            let refusal = answer.flatMap { answer in
                found.contains { $0.code == answer.code && $0.level == answer.level } ? nil : answer
            }
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

    package func report(unreadable path: String, code: FailureCode, _ message: String) -> FileReport {
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
            let own = Finding(bytes.isEmpty ? .file.fileEmpty : file.code, .error, "\(file)")
            return [own] + nameFindings(path) + unknownModel
        }
    }

    private func nameFindings(_ path: String?) -> [Finding] {
        path.map { NameCheck.findings($0, against: rules.namePatterns) } ?? []
    }

    /// The finding if the target's model is not in the catalogue, also for files that are not firmware: a user who
    /// names a model expects a comparison.
    private var unknownModel: [Finding] {
        catalogue.flatMap { ReleaseCheck.unknownModel(target?.model, in: $0) }.map { [$0] } ?? []
    }
}

extension FileVerdict {
    /// The answer as a finding; nil if the target accepts the file.
    fileprivate var finding: Finding? {
        switch self {
        case .accepted: nil
        case .refused(let rule, _, _): Finding(rule, .error, "target: \(self)")
        case .undecided: Finding(.release.targetUndecided, .warning, "target: \(self)")
        }
    }
}

extension PackageFile {
    var kindName: String {
        switch self {
        case .firmware(let file): file.kind.rawValue
        case .unsupported(let file): file.kind.rawValue
        }
    }

    /// The firmware; nil for a file that beacons do not accept.
    var vendorFile: (any VendorFile)? { if case .firmware(let file) = self { file } else { nil } }
}
