public import FirmwareModel

/// One model of beacon, and the firmware that was released for it.
public struct CatalogueModel: Hashable, Sendable {
    /// A release.
    public struct Firmware: Hashable, Sendable {
        /// The version as in the package: a number or a text, depending on the kind.
        public let version: String
        /// The build time, in seconds since 1970 in UTC, where it tells releases of one version apart.
        public let timestamp: UInt32?
        /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
        public let sha256: String?
    }

    /// The model, with the kind of package that it takes.
    public let device: DeviceModel
    /// The releases, in the file's order.
    public let firmware: [Firmware]

    /// The model's name.
    public var name: String { device.name }

    /// The release with the highest version; nil when there is none that can be ordered.
    public var newest: Firmware? {
        let ordered = firmware.compactMap { release in VersionOrder(release.version).map { ($0, release) } }
        return ordered.max {
            ($0.0, $0.1.timestamp ?? 0) < ($1.0, $1.1.timestamp ?? 0)
        }?.1
    }
}
