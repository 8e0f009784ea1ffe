import UpdateModel

/// The images of earlier releases, to find one that devices cannot distinguish from a new one.
///
/// Images of one run are not compared with each other: they may be for two products, which an image does not tell.
public struct EarlierImages: Sendable {
    private var paths: [[UInt8]: [(image: ReleaseIdentity, path: String)]] = [:]

    /// No images yet.
    public init() {}

    /// Adds the image of a report on an earlier release.
    public mutating func add(_ report: FileReport) {
        guard let image = report.image else { return }
        paths[image.compared, default: []].append((image, report.path))
    }

    /// Adds a finding to `report` if devices would take its image for an earlier one.
    public func review(_ report: inout FileReport, by rules: RuleSet) {
        // The same program again is the same release.
        guard let image = report.image,
            let earlier = paths[image.compared]?.first(where: { $0.image.program != image.program })
        else { return }
        let flaw = Finding(
            "same-image", .error, Finding.Place(field: image.field),
            "are the same as in \(earlier.path), but the program differs")
        if let finding = rules.finding(flaw) { report.add(finding) }
    }
}
