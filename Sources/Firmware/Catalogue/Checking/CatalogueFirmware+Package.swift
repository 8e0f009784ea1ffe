import Bytes
package import UpdateModel

extension CatalogueFirmware {
    /// The differences between `bytes`, the package of this release, and the entry, and the errors in the package;
    /// empty if there are none.
    package func findings(
        on bytes: [UInt8], for family: CatalogueFamily, _ options: UpdateOptions = UpdateOptions()
    ) -> [CatalogueFinding] {
        let digest = SHA256Digest.text(of: bytes)
        guard sha256 == nil || sha256 == digest else {
            return [
                finding(.catalogue.hashMismatch, "its SHA-256 is \(digest), which differs from the entry")
            ]
        }
        do throws(FirmwareFileError) {
            switch try PackageFile(recognising: bytes) {
            case .unsupported(let foreign): return [finding(.file.unsupportedFile, "is \(foreign)")]
            case .firmware(let package): return contradictions(package, family) + errors(package, options)
            }
        } catch { return [finding(error.code, "\(error)")] }
    }

    private func contradictions(_ package: any VendorFile, _ family: CatalogueFamily) -> [CatalogueFinding] {
        func mismatch(_ words: String) -> CatalogueFinding { finding(.finding.catalogueMismatch, words) }
        guard package.kind == family.device.kind else {
            return [
                mismatch(
                    "is a package of kind \(package.kind), but \(family.name) takes \(family.device.kind)")
            ]
        }
        var findings = package.mismatch(with: family.device).map { [finding($0.code, "\($0)")] } ?? []
        if let version = package.summary.version, !hasVersion(version, family.scheme) {
            findings.append(
                mismatch("has version \(version.text), but the entry says \(versionInPackage)"))
        }
        if let built = package.built, built.ordersReleases, let timestamp, built.seconds != timestamp {
            findings.append(
                mismatch("has the timestamp \(built.seconds), but the entry says \(timestamp)"))
        }
        return findings
    }

    /// Whether the package's `version` is that of the entry: unchanged, in another spelling, or as nrfutil encodes it.
    private func hasVersion(_ version: FirmwareVersion, _ scheme: VersionScheme) -> Bool {
        if version.text == versionInPackage { return true }
        let isSame = scheme.version(self.version).map { $0 == scheme.version(version.text) } ?? false
        return packageVersion == nil && isSame || version.agrees(with: versionInPackage)
    }

    private func errors(_ package: any VendorFile, _ options: UpdateOptions) -> [CatalogueFinding] {
        package.findings(options).filter { $0.level == .error }.map { finding($0.code, "\($0)") }
    }

    private func finding(_ code: FailureCode, _ words: String) -> CatalogueFinding {
        CatalogueFinding(code, at: place, "\(file ?? version): \(words)")
    }
}
