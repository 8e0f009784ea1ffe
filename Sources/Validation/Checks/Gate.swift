import ByteCoding
public import Catalogue
import DialogSUOTA
import Digests
import FBeacon
public import NordicDFU
import Vendors

/// Decides whether a file may be released. It works offline: what it is not told, it does not know.
public struct Gate: Sendable {
    /// How bad what is.
    public var rules = RuleSet()
    /// The key that the products' bootloaders hold.
    public var key: NordicPublicKey?
    /// What was released before.
    public var catalogue: Catalogue?
    /// A device that has to take the file.
    public var target: TargetDevice?
    /// The present time, in seconds since 1970 in UTC; without it no timestamp is in the future.
    public var now: UInt32?

    /// A gate with the rules as they are.
    public init() {}

    /// Checks the bytes of a file called `path`; what came through a pipe has no name to be checked.
    public func report(on bytes: [UInt8], named path: String, isStream: Bool = false) -> FileReport {
        let digest = HexText.encode(SHA256Digest.digest(bytes))
        do throws(PackageFileError) {
            let content = try PackageFile(recognising: bytes)
            let judgement = target.map { Judgement(of: content, for: $0, key: key) }
            let own =
                contentFlaws(content, bytes)
                + (isStream ? [] : NameCheck(path: path, content: content).flaws(rules.namePatterns))
                + releaseFlaws(content, sha256: digest)
            let found = own.compactMap { rules.finding($0) }
            let verdict =
                judgement?.flaws(beside: found).map(rules.targetFinding) ?? []
            return FileReport(
                path: path, bytes: bytes.count, sha256: digest, kind: content.kindName,
                isForeign: content.isForeign, findings: found + verdict,
                verdict: judgement?.verdict,
                image: content.imageIdentity)
        } catch {
            return FileReport(
                path: path, bytes: bytes.count, sha256: digest, kind: nil,
                findings: [rules.certainFinding(Flaw(error))])
        }
    }

    /// The report on a file that could not be read.
    public func report(unreadable path: String, code: String, _ message: String) -> FileReport {
        FileReport(path: path, findings: [rules.certainFinding(Flaw(code, message))])
    }

    private func contentFlaws(_ content: PackageFile, _ bytes: [UInt8]) -> [Flaw] {
        switch content {
        case .nordicSecure(let package): NordicCheck(package: package, key: key).flaws
        case .nordicLegacy(let package): NordicCheck(package: package, key: key).flaws
        case .suota(let image): suotaFlaws(image)
        case .fbeacon(let file): file.findings().map(Flaw.init)
        case .unsupported(let file):
            [Flaw(bytes.isEmpty ? "file-empty" : file.kind.rule, "\(file)")]
        }
    }

    /// The vendor's layouts say nothing about a device whose bank is known.
    private func suotaFlaws(_ image: SUOTAImage) -> [Flaw] {
        let layouts: Set = ["image-exceeds-flash", "image-exceeds-small-flash", "image-fills-bank"]
        return image.findings().map(Flaw.init).filter { target?.bank == nil || !layouts.contains($0.id) }
    }

    private func releaseFlaws(_ content: PackageFile, sha256: String) -> [Flaw] {
        let check = ReleaseCheck(content: content)
        return check.timestampFlaws(now: now)
            + (catalogue.map { check.versionFlaws(against: $0, model: target?.model, sha256: sha256) } ?? [])
    }
}

extension Flaw {
    init(_ id: String, _ message: String) { self.init(id, Finding.Place(), message) }
}

extension UnsupportedFile.Kind {
    /// The rule that a file of this kind breaks by being released.
    fileprivate var rule: String {
        switch self {
        case .mcuboot: "mcuboot-package"
        case .zip: "manifest-missing"
        default: "unsupported-file"
        }
    }
}
