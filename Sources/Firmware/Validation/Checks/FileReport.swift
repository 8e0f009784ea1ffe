package import UpdateModel

/// The release gate's report on one file.
package struct FileReport: Sendable {
    package let path: String
    /// Its size in bytes; nil if it could not be read.
    package let bytes: Int?
    /// Its SHA-256, in lower-case hexadecimal; nil if it could not be read.
    package let sha256: String?
    /// Its kind, as `inspect` names it; nil if unknown.
    package let kind: String?
    /// Whether the file is sound, but not firmware for beacons.
    package let isForeign: Bool
    package private(set) var findings: [Finding]
    /// What the target would do; nil if no target was given, or nothing could be decided.
    package let verdict: FileVerdict?
    /// The duration of the check; nil if it was not measured.
    package var seconds: Double?
    /// What devices compare to distinguish images; nil if they compare nothing.
    package let image: ReleaseIdentity?

    package init(
        path: String, bytes: Int? = nil, sha256: String? = nil, kind: String? = nil,
        isForeign: Bool = false, findings: [Finding], verdict: FileVerdict? = nil,
        image: ReleaseIdentity? = nil
    ) {
        (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
        (self.kind, self.isForeign) = (kind, isForeign)
        self.findings = findings.errorsFirst
        (self.verdict, self.image) = (verdict, image)
    }

    /// Whether the file could not be opened, so that nothing is known about it.
    var isUnreadable: Bool { findings.contains { Self.unreadable.contains($0.code) } }

    private static let unreadable: Set<FailureCode> = [
        .file.fileNotFound, .file.fileNotReadable, .file.fileIsDirectory, .file.linkNotFollowed,
    ]

    package var isPassed: Bool { findings.firstError == nil }

    /// Adds a finding that only a comparison with other files can make.
    package mutating func add(_ finding: Finding) { findings = (findings + [finding]).errorsFirst }
}

/// The images of earlier releases, to find one that devices cannot distinguish from a new one.
///
/// Images of one run are not compared with each other: they may be for two products, which an image does not name.
package struct EarlierImages: Sendable {
    private var paths: [[UInt8]: [(image: ReleaseIdentity, path: String)]] = [:]

    package init() {}

    package mutating func add(_ report: FileReport) {
        guard let image = report.image else { return }
        paths[image.compared, default: []].append((image, report.path))
    }

    /// Adds a finding to `report` if devices would take its image for an earlier one.
    package func review(_ report: inout FileReport, by rules: RuleSet) {
        // An image with the same program is the same release.
        guard let image = report.image,
            let earlier = paths[image.compared]?.first(where: { $0.image.program != image.program })
        else { return }
        let sameImage = Finding(
            .finding.sameImage, .error, Finding.Place(field: image.field),
            "are the same as in \(earlier.path), but the program differs")
        if let finding = rules.finding(sameImage) { report.add(finding) }
    }
}
