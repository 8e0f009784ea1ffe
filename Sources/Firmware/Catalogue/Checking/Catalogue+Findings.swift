package import UpdateModel

extension Catalogue {
    /// Contradictions within the entries; no package is read.
    package var findings: [CatalogueFinding] {
        overlaps
            + families.flatMap {
                ReleasePaths.findings(in: $0) + $0.repeatedReleases + $0.incomparableReleases
            }
    }

    /// The families that may match one device by equally many facts. Families of two kinds do not, because a device
    /// takes packages of one kind; but a vendor-only family may, whatever its devices take.
    private var overlaps: [CatalogueFinding] {
        var findings: [CatalogueFinding] = []
        for kind in families.map(\.device.kind).unique {
            let families = families.filter { $0.device.kind == kind || $0.device.kind == .vendorOnly }
            // Most families are recognised by one model without a pattern: two of them overlap only if it is the same.
            var byModel: [String: CatalogueFamily] = [:]
            var patterns: [CatalogueFamily] = []
            for family in families {
                if let key = family.criteria.literalModel {
                    if let other = byModel.updateValue(family, forKey: key) {
                        findings.append(Self.overlap(family, other))
                    }
                } else {
                    patterns.append(family)
                }
            }
            let literals = byModel.values.sorted { $0.name < $1.name }
            for (index, family) in patterns.enumerated() {
                for other in literals + patterns[..<index] where family.criteria.overlaps(other.criteria) {
                    findings.append(Self.overlap(family, other))
                }
            }
        }
        return findings.unique.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
    }

    private static func overlap(_ family: CatalogueFamily, _ other: CatalogueFamily) -> CatalogueFinding {
        CatalogueFinding(
            .catalogue.overlap, at: family.place,
            "a beacon can match both \(family.name) and \(other.name) (\(other.place))")
    }
}

extension FamilyCriteria {
    /// The model, if it is the only criterion and not a pattern.
    fileprivate var literalModel: String? {
        guard let model, self == FamilyCriteria(model: model), !model.contains(where: { "*?".contains($0) })
        else { return nil }
        return model.lowercased()
    }
}

extension CatalogueFamily {
    fileprivate var repeatedReleases: [CatalogueFinding] {
        var findings: [CatalogueFinding] = []
        let current = firmware.filter { $0.withdrawn == nil }
        var groups: [Release: [CatalogueFirmware]] = [:]
        for release in current {
            guard let order = scheme.version(release.version) else { continue }
            let key = Release(order: order, timestamp: release.timestamp ?? 0)
            if let other = groups[key, default: []].first(where: { release.overlaps($0) }) {
                findings.append(
                    CatalogueFinding(
                        .catalogue.overlap, at: release.place,
                        "version \(release.version) of \(name) is defined twice (\(other.place))"))
            }
            groups[key, default: []].append(release)
        }
        return findings
    }

    private struct Release: Hashable {
        let order: OrderedVersion
        let timestamp: UInt32
    }
}

extension CatalogueFirmware {
    /// Whether both can apply to one device, by hardware, model and device id.
    fileprivate func overlaps(_ other: CatalogueFirmware) -> Bool {
        func share(_ one: [String], _ two: [String], _ matches: (String, String) -> Bool) -> Bool {
            one.isEmpty || two.isEmpty || one.contains { first in two.contains { matches(first, $0) } }
        }
        return share(hardware, other.hardware) { $0.lowercased() == $1.lowercased() }
            && share(models, other.models) { FamilyCriteria.patternsOverlap($0, $1) }
            && share(devices, other.devices) { $0.lowercased() == $1.lowercased() }
    }
}

/// A contradiction within a catalogue, or between it and its packages.
package struct CatalogueFinding: Error, Hashable, Sendable {
    package let code: FailureCode
    package let place: CataloguePlace
    package let message: String

    package init(_ code: FailureCode, at place: CataloguePlace, _ message: String) {
        (self.code, self.place, self.message) = (code, place, message)
    }
}

extension CatalogueFamily {
    /// Releases whose versions cannot be compared with what devices report, judging by the entries.
    ///
    /// Without `version_from`, an update compares the package's version with the device's. A release with another
    /// version than its package then counts as higher or lower than every device's. Versions that begin with a letter
    /// are not reported: they are KKM's, whose beacons advertise them with the letter.
    var incomparableReleases: [CatalogueFinding] {
        guard versionSource == nil else { return [] }
        return firmware.compactMap { release in
            guard release.version.first?.isLetter != true, let number = release.packageVersion,
                let own = scheme.version(release.version),
                own != scheme.version(number)
            else { return nil }
            return CatalogueFinding(
                .catalogue.versionsApart, at: release.place,
                "\(name) \(release.version) has the package_version \(number), but the catalogue does not say that its beacons show "
                    + "\(release.version): if they do, set 'version_from'; if they show \(number), write "
                    + "'version: \(number)' with 'versions: number', and remove 'package_version'")
        }
    }

    /// The release whose `package_version` is `shown`, if no release has the version `shown`. A device that shows this
    /// version reports the versions of packages instead of those of releases.
    func release(byPackage shown: String) -> CatalogueFirmware? {
        let installed = scheme.version(shown)
        guard !firmware.contains(where: { installed != nil && scheme.version($0.version) == installed })
        else { return nil }
        return firmware.first { $0.packageVersion == shown }
    }
}
