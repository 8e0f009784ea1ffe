public import FirmwareModel

/// One model of beacon, and the firmware that was released for it.
public struct CatalogueModel: Hashable, Sendable {
    /// A release.
    public struct Firmware: Hashable, Sendable {
        /// The version as the package has it: a number or a text, by its kind.
        public let version: String
        /// When it was built, in seconds since 1970 in UTC, where releases of one version are told apart by that.
        public let timestamp: UInt32?
        /// The SHA-256 of the package, 64 hexadecimal digits in lower case.
        public let sha256: String?
    }

    /// The model, as people call it, with the kind of package that it takes.
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
