public import UpdateModel

/// A family with its releases, to be written as a catalogue file for further editing.
public struct CatalogueDraft: Hashable, Sendable {
    /// A release, as far as its source describes it.
    public struct Release: Hashable, Sendable {
        /// Its version.
        public var version: String
        /// The version in its package, if it is different.
        public var packageVersion: String?
        /// Its package, relative to the catalogue's folder.
        public var file: String?
        /// The package's SHA-256 in hexadecimal digits.
        public var sha256: String?
        /// When it was built, if that distinguishes releases of one version.
        public var timestamp: UInt32?
        /// The hardware that takes it.
        public var hardware: String?
        /// The ids of the units that take it.
        public var devices: [String] = []
        /// The lowest version that may be updated to it.
        public var minimumInstalled: String?
        /// How soon it should be installed.
        public var urgency: CatalogueFirmware.Urgency?
        /// What is new.
        public var notes: String?

        /// A release with only a version.
        public init(_ version: String) { self.version = version }
    }

    /// The family's name.
    public let model: String
    /// The kind of its packages.
    public var kind: FirmwareKind
    /// How its versions are ordered.
    public let scheme: VersionScheme
    /// Who can update it, if only the vendor can.
    public var vendorWay: String?
    /// The maker that identifies it; nil if the model's name does.
    public var maker: String?
    /// Where its beacons report their version; nil if the source does not tell.
    public var versionSource: VersionSource?
    /// Its releases.
    public var releases: [Release]

    /// A family with `releases`.
    public init(_ model: String, _ kind: FirmwareKind, _ scheme: VersionScheme, _ releases: [Release] = []) {
        (self.model, self.kind, self.scheme, self.releases) = (model, kind, scheme, releases)
    }

    /// The lines of the file with these families.
    public static func lines(_ families: [CatalogueDraft]) -> [String] {
        ["catalogue: 1", "models:"] + families.flatMap(\.lines)
    }

    private var lines: [String] {
        let members = [
            ("kind", "\(kind)"), ("vendor_way", vendorWay.map(Self.quoted)),
            ("recognised_by", maker.map { "{maker: \($0)}" }), ("versions", scheme.rawValue),
            ("version_from", versionSource?.rawValue),
        ]
        let given = members.compactMap { key, value in value.map { "    \(key): \($0)" } }
        return ["  - model: \(Self.quoted(model))"] + given + ["    firmware:"] + releases.flatMap(\.lines)
    }

    /// A text in double quotes, without special characters.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\t": "\\t"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF:
                "\\u" + String(0x1_0000 + scalar.value, radix: 16).dropFirst()
            default: String(scalar)
            }
        }
        return "\"\(scalars.joined())\""
    }
}

extension CatalogueDraft.Release {
    fileprivate var lines: [String] {
        let quoted = CatalogueDraft.quoted
        let members: [(String, String?)] = [
            ("version", quoted(version)), ("package_version", packageVersion.map(quoted)),
            ("timestamp", timestamp.map { "\($0)" }),
            ("file", file.map(quoted)),
            ("sha256", sha256.map(quoted)), ("hardware_versions", hardware.map { "[\(quoted($0))]" }),
            ("devices", devices.isEmpty ? nil : "[\(devices.map(quoted).joined(separator: ", "))]"),
            ("minimum_installed", minimumInstalled.map(quoted)), ("urgency", urgency?.rawValue),
            ("notes", notes.map(quoted)),
        ]
        let given = members.compactMap { key, value in value.map { "\(key): \($0)" } }
        return given.enumerated().map { ($0 == 0 ? "      - " : "        ") + $1 }
    }
}
