import FirmwareModel

extension CatalogueModel {
    /// Releases whose versions cannot be compared with what devices show, as far as the entries tell.
    ///
    /// Where nothing says in what devices show their version, an update takes the package's for what they show. A release that is called
    /// otherwise is above or below every device then, whatever that has. KKM writes a letter before its versions, and its beacons advertise
    /// them so.
    var incomparableReleases: [CatalogueFlaw] {
        guard versionSource == nil else { return [] }
        return firmware.compactMap { release in
            guard release.version.first?.isLetter != true, let number = release.packageVersion,
                let own = scheme.version(release.version),
                own != scheme.version(number)
            else { return nil }
            return CatalogueFlaw(
                "catalogue-versions-apart", at: release.place,
                "\(name) \(release.version) has the package_version \(number), and nothing says that its beacons show "
                    + "\(release.version): where they do, say in what with 'version_from'; where they show \(number), write "
                    + "'version: \(number)' with 'versions: number', and leave 'package_version' out")
        }
    }

    /// The release that has `shown` as its `package_version`, where none is called so: the device shows numbers of packages, and the
    /// releases are called by something else.
    func release(byPackage shown: String) -> CatalogueFirmware? {
        let installed = scheme.version(shown)
        guard !firmware.contains(where: { installed != nil && scheme.version($0.version) == installed })
        else {
            return nil
        }
        return firmware.first { $0.packageVersion == shown }
    }
}
