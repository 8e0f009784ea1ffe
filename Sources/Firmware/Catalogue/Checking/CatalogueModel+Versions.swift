import UpdateModel

extension CatalogueModel {
    /// Releases whose versions cannot be compared with what devices report, judging by the entries.
    ///
    /// Without `version_from`, an update compares the package's version with the device's. If the release has
    /// another version than its package, it is then above or below every device. KKM writes a letter before its
    /// versions, and its beacons advertise them with it.
    var incomparableReleases: [CatalogueFinding] {
        guard versionSource == nil else { return [] }
        return firmware.compactMap { release in
            guard release.version.first?.isLetter != true, let number = release.packageVersion,
                let own = scheme.version(release.version),
                own != scheme.version(number)
            else { return nil }
            return CatalogueFinding(
                "catalogue-versions-apart", at: release.place,
                "\(name) \(release.version) has the package_version \(number), but the catalogue does not say that its beacons show "
                    + "\(release.version): if they do, set 'version_from'; if they show \(number), write "
                    + "'version: \(number)' with 'versions: number', and remove 'package_version'")
        }
    }

    /// The release with `shown` as its `package_version`, if no release has it as its version: the device then
    /// reports package versions that the releases are not named by.
    func release(byPackage shown: String) -> CatalogueFirmware? {
        let installed = scheme.version(shown)
        guard !firmware.contains(where: { installed != nil && scheme.version($0.version) == installed })
        else {
            return nil
        }
        return firmware.first { $0.packageVersion == shown }
    }
}
