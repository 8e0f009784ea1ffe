/// One model of beacon, and the firmware that was released for it.
public struct CatalogueModel: Hashable, Sendable {
    /// A release.
    public struct Firmware: Hashable, Sendable {
        /// The version as the package has it: a number in Nordic and Feasycom files, a text in SUOTA images.
        public let version: String
        /// When a SUOTA image was built, in seconds since 1970 in UTC.
        public let timestamp: UInt32?
        /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
        public let sha256: String?
    }

    /// The model, as people call it.
    public let name: String
    /// The kind of package, as `inspect` names it.
    public let kind: String
    /// The hardware version that Nordic's init packets name.
    public let hardware: UInt32?
    /// The model number of Feasycom's files.
    public let number: UInt16?
    /// The header family of SUOTA images: 58x, 68x or 69x.
    public let header: String?
    /// The releases, in the file's order.
    public let firmware: [Firmware]

    /// The release with the highest version; nil when there is none that can be ordered.
    public var newest: Firmware? {
        let ordered = firmware.compactMap { release in VersionOrder(release.version).map { ($0, release) } }
        return ordered.max {
            ($0.0, $0.1.timestamp ?? 0) < ($1.0, $1.1.timestamp ?? 0)
        }?.1
    }
}
