import DialogSUOTA

/// What a DA1458x receiver compares to tell whether it has an image already: 16 version bytes and the timestamp
/// (suota-image.md, Checks). Other families do not compare.
public struct ImageIdentity: Hashable, Sendable {
    /// The version field as it stands in the header.
    let version: [UInt8]
    /// Seconds since 1970 in UTC.
    let timestamp: UInt32
    /// The CRC-32 of the program in plain, which no receiver compares.
    let programCRC: UInt32

    init?(_ image: SUOTAImage) {
        guard image.header.family == .da1458x else { return nil }
        version = image.header.version.bytes
        timestamp = image.header.timestamp
        programCRC = image.header.crc
    }
}

/// The SUOTA images that were released before, to find one that receivers cannot tell from a new one.
///
/// Images of one run are not held against each other: they may be for two products, which an image does not name.
public struct EarlierImages: Sendable {
    private var paths: [Key: [(image: ImageIdentity, path: String)]] = [:]

    private struct Key: Hashable {
        let version: [UInt8]
        let timestamp: UInt32

        init(_ image: ImageIdentity) {
            version = image.version
            timestamp = image.timestamp
        }
    }

    /// None yet.
    public init() {}

    /// Remembers the image of a report on an earlier release.
    public mutating func add(_ report: FileReport) {
        guard let image = report.image else { return }
        paths[Key(image), default: []].append((image, report.path))
    }

    /// Adds to a report what an earlier image makes of it.
    public func review(_ report: inout FileReport, by rules: RuleSet) {
        // The same program again is the same release.
        guard let image = report.image,
            let earlier = paths[Key(image)]?.first(where: { $0.image.programCRC != image.programCRC })
        else { return }
        let flaw = Flaw(
            "same-image", Finding.Place(field: "version and timestamp"),
            "are those of \(earlier.path), and the program is another")
        if let finding = rules.finding(flaw) { report.add(finding) }
    }
}
