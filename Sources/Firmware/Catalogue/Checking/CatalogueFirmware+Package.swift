import Bytes
package import UpdateModel

extension CatalogueFirmware {
    /// The differences between `bytes`, the package of this release, and the entry, and the errors in the package;
    /// empty if there are none.
    package func flaws(
        of bytes: [UInt8], for model: CatalogueModel, _ options: UpdateOptions = UpdateOptions()
    ) -> [CatalogueFinding] {
        let digest = HexText.encode(SHA256Digest.digest(bytes))
        guard sha256 == nil || sha256 == digest else {
            return [flaw(.catalogue.hashMismatch, "its SHA-256 is \(digest), which differs from the entry")]
        }
        do throws(FirmwareFileError) {
            switch try PackageFile(recognising: bytes) {
            case .unsupported(let foreign): return [flaw(.file.unsupportedFile, "is \(foreign)")]
            case .firmware(let package): return contradictions(package, model) + errors(package, options)
            }
        } catch { return [flaw(error.code, "\(error)")] }
    }

    private func contradictions(_ package: any VendorFile, _ model: CatalogueModel) -> [CatalogueFinding] {
        func mismatch(_ words: String) -> CatalogueFinding { flaw(.finding.catalogueMismatch, words) }
        guard package.kind == model.device.kind else {
            return [
                mismatch("is a package of kind \(package.kind), but \(model.name) takes \(model.device.kind)")
            ]
        }
        var flaws = package.mismatch(with: model.device).map { [flaw($0.code, "\($0)")] } ?? []
        if let version = package.summary.version, !isMet(by: version, model.scheme) {
            flaws.append(
                mismatch("has version \(version.text), but the entry says \(versionInPackage)"))
        }
        if let built = package.built, built.ordersReleases, let timestamp, built.seconds != timestamp {
            flaws.append(
                mismatch("has the timestamp \(built.seconds), but the entry says \(timestamp)"))
        }
        return flaws
    }

    /// Whether the package's `version` is that of the entry: unchanged, in another spelling, or as nrfutil encodes it.
    private func isMet(by version: FirmwareVersion, _ scheme: VersionScheme) -> Bool {
        if version.text == versionInPackage { return true }
        let isSame = scheme.version(self.version).map { $0 == scheme.version(version.text) } ?? false
        return packageVersion == nil && isSame || version.agrees(with: versionInPackage)
    }

    private func errors(_ package: any VendorFile, _ options: UpdateOptions) -> [CatalogueFinding] {
        package.findings(options).filter { $0.level == .error }.map { flaw($0.code, "\($0)") }
    }

    private func flaw(_ code: FailureCode, _ words: String) -> CatalogueFinding {
        CatalogueFinding(code, at: place, "\(file ?? version): \(words)")
    }
}
