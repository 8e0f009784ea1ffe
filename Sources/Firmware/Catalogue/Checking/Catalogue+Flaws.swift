package import UpdateModel

extension Catalogue {
    /// Contradictions within the entries; no package is read.
    package var flaws: [CatalogueFinding] {
        overlaps
            + models.flatMap { ReleasePaths.flaws(in: $0) + $0.repeatedReleases + $0.incomparableReleases }
    }

    /// The families that may match one device by equally many facts. Families of two kinds do not, because a device
    /// takes packages of one kind; but a vendor-only family may, whatever its devices take.
    private var overlaps: [CatalogueFinding] {
        var flaws: [CatalogueFinding] = []
        for kind in models.map(\.device.kind).unique {
            let models = models.filter { $0.device.kind == kind || $0.device.kind == .vendorOnly }
            // Most families are recognised by one model without a pattern: two of them overlap only if it is the same.
            var byModel: [String: CatalogueModel] = [:]
            var patterns: [CatalogueModel] = []
            for model in models {
                if let key = model.recognition.literalModel {
                    if let other = byModel.updateValue(model, forKey: key) {
                        flaws.append(Self.overlap(model, other))
                    }
                } else {
                    patterns.append(model)
                }
            }
            let literals = byModel.values.sorted { $0.name < $1.name }
            for (index, model) in patterns.enumerated() {
                for other in literals + patterns[..<index] where model.recognition.overlaps(other.recognition)
                {
                    flaws.append(Self.overlap(model, other))
                }
            }
        }
        return flaws.unique.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
    }

    private static func overlap(_ model: CatalogueModel, _ other: CatalogueModel) -> CatalogueFinding {
        CatalogueFinding(
            .catalogue.overlap, at: model.place,
            "a beacon can match both \(model.name) and \(other.name) (\(other.place))")
    }
}

extension Recognition {
    /// The model, if it is the only criterion and not a pattern.
    fileprivate var literalModel: String? {
        guard let model, self == Recognition(model: model), !model.contains(where: { "*?".contains($0) })
        else { return nil }
        return model.lowercased()
    }
}

extension CatalogueModel {
    fileprivate var repeatedReleases: [CatalogueFinding] {
        var flaws: [CatalogueFinding] = []
        let current = firmware.filter { $0.withdrawn == nil }
        var groups: [Release: [CatalogueFirmware]] = [:]
        for release in current {
            guard let order = scheme.version(release.version) else { continue }
            let key = Release(order: order, timestamp: release.timestamp ?? 0)
            if let other = groups[key, default: []].first(where: { release.mayMeet($0) }) {
                flaws.append(
                    CatalogueFinding(
                        .catalogue.overlap, at: release.place,
                        "version \(release.version) of \(name) is defined twice (\(other.place))"))
            }
            groups[key, default: []].append(release)
        }
        return flaws
    }

    private struct Release: Hashable {
        let order: OrderedVersion
        let timestamp: UInt32
    }
}

extension CatalogueFirmware {
    /// Whether both can apply to one device, by hardware, model and device id.
    fileprivate func mayMeet(_ other: CatalogueFirmware) -> Bool {
        func share(_ one: [String], _ two: [String], _ meet: (String, String) -> Bool) -> Bool {
            one.isEmpty || two.isEmpty || one.contains { first in two.contains { meet(first, $0) } }
        }
        return share(hardware, other.hardware) { $0.lowercased() == $1.lowercased() }
            && share(models, other.models) { Recognition.meet($0, $1) }
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

extension CatalogueModel {
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

    /// The release with `shown` as its `package_version`, if no release has `shown` as its version: the device then
    /// reports the versions of packages, by which the releases are not named.
    func release(byPackage shown: String) -> CatalogueFirmware? {
        let installed = scheme.version(shown)
        guard !firmware.contains(where: { installed != nil && scheme.version($0.version) == installed })
        else { return nil }
        return firmware.first { $0.packageVersion == shown }
    }
}
