public import DialogSUOTA

/// What a SUOTA receiver compares to tell whether it has an image already: 16 version bytes and the timestamp
/// (suota-image.md, Checks). Images for two families of chips never meet.
public struct ImageIdentity: Hashable, Sendable {
    /// The chips that it is for.
    public let family: HeaderFamily
    /// The version field as it stands in the header.
    public let version: [UInt8]
    /// Seconds since 1970 in UTC.
    public let timestamp: UInt32
    /// The CRC-32 of the program in plain, which no receiver compares.
    public let programCRC: UInt32

    init(_ image: SUOTAImage) {
        family = image.header.family
        version = image.header.version.bytes
        timestamp = image.header.timestamp
        programCRC = image.header.crc
    }
}

/// The SUOTA images that were seen before, to find two that receivers cannot tell apart.
public struct EarlierImages: Sendable {
    private var paths: [Key: [(image: ImageIdentity, path: String)]] = [:]

    private struct Key: Hashable {
        let family: HeaderFamily
        let version: [UInt8]
        let timestamp: UInt32
    }

    /// None yet.
    public init() {}

    /// Remembers the image of a report, and adds to the report what an earlier one makes of it.
    public mutating func review(_ report: inout FileReport, by rules: RuleSet) {
        guard let image = report.image else { return }
        let key = Key(family: image.family, version: image.version, timestamp: image.timestamp)
        // The same program twice is one release in two places.
        if let earlier = paths[key]?.first(where: { $0.image.programCRC != image.programCRC }) {
            let flaw = Flaw(
                "same-image", Finding.Place(field: "version and timestamp"),
                "are those of \(earlier.path), and the program is another")
            if let finding = rules.finding(flaw) { report.add(finding) }
        }
        paths[key, default: []].append((image, report.path))
    }
}
