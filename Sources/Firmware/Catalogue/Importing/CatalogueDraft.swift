package import Bytes
package import UpdateModel

/// A family with its releases, to be written as a catalogue file for further editing.
package struct CatalogueDraft: Hashable, Sendable {
    /// A release, as far as its source describes it.
    package struct Release: Hashable, Sendable {
        package var version: String
        package var packageVersion: String?
        package var file: String?
        package var sha256: String?
        /// The build time, in seconds since 1970 in UTC; nil unless it distinguishes releases of one version.
        package var timestamp: UInt32?
        package var hardware: String?
        package var devices: [String] = []
        /// The lowest version that may be updated to it.
        package var minimumInstalled: String?
        package var urgency: CatalogueFirmware.Urgency?
        package var notes: String?

        /// A release with only a version.
        package init(_ version: String) { self.version = version }
    }

    package let model: String
    package var kind: FirmwareKind
    package let scheme: VersionScheme
    /// How the vendor updates it, if only the vendor can; otherwise nil.
    package var vendorWay: String?
    /// The maker by which its beacons are recognised; nil to recognise them by the model's name.
    package var maker: String?
    /// Where its beacons report their version; nil if the source does not state it.
    package var versionSource: VersionSource?
    package var releases: [Release]

    package init(_ model: String, _ kind: FirmwareKind, _ scheme: VersionScheme, _ releases: [Release] = []) {
        (self.model, self.kind, self.scheme, self.releases) = (model, kind, scheme, releases)
    }

    package static func lines(_ families: [CatalogueDraft]) -> [String] {
        ["catalogue: 1", "models:"] + families.flatMap(\.lines)
    }

    private var lines: [String] {
        let members = [
            ("kind", "\(kind)"), ("vendor_way", vendorWay.map(QuotedScalar.text)),
            ("recognised_by", maker.map { "{maker: \($0)}" }), ("versions", scheme.rawValue),
            ("version_from", versionSource?.rawValue),
        ]
        let given = members.compactMap { key, value in value.map { "    \(key): \($0)" } }
        return ["  - model: \(QuotedScalar.text(model))"] + given + ["    firmware:"]
            + releases.flatMap(\.lines)
    }
}

extension CatalogueDraft.Release {
    fileprivate var lines: [String] {
        let quoted = QuotedScalar.text
        let members: [(String, String?)] = [
            ("version", quoted(version)), ("package_version", packageVersion.map(quoted)),
            ("timestamp", timestamp.map { "\($0)" }), ("file", file.map(quoted)),
            ("sha256", sha256.map(quoted)), ("hardware_versions", hardware.map { "[\(quoted($0))]" }),
            ("devices", devices.isEmpty ? nil : "[\(devices.map(quoted).joined(separator: ", "))]"),
            ("minimum_installed", minimumInstalled.map(quoted)), ("urgency", urgency?.rawValue),
            ("notes", notes.map(quoted)),
        ]
        let given = members.compactMap { key, value in value.map { "\(key): \($0)" } }
        return given.enumerated().map { ($0 == 0 ? "      - " : "        ") + $1 }
    }
}

extension CatalogueDraft {
    /// The family in KKM's `{model}.json`: an object by hardware version, each with a list of releases from the
    /// oldest to the newest. Their packages are `appFileName`, in the same folder as the file; the newest release must
    /// have a package, earlier ones need not.
    ///
    /// A KBeacon reports its model, hardware and version in a session.
    package init(
        keyedByHardware text: [UInt8], model: String, kind: FirmwareKind, by scheme: VersionScheme
    ) throws(YAMLProblem) {
        self.init(model, kind, scheme)
        versionSource = .session
        for hardware in try YAMLValue(parsing: text).members() {
            var newest: (version: OrderedVersion, value: YAMLValue, file: String?)?
            for value in try hardware.value.list() {
                let members = try value.firstMembers()
                let version = try value.required("appVersion", in: members)
                var release = Release(try version.text())
                guard let order = scheme.version(release.version) else {
                    throw version.problem(scheme.refusal(of: release.version))
                }
                release.file = try members["appFileName"]?.text()
                if newest.map({ $0.version <= order }) ?? true { newest = (order, value, release.file) }
                release.hardware = hardware.key
                release.notes = try members["note"]?.text()
                releases.append(release)
            }
            if let newest, newest.file == nil { throw newest.value.problem("'appFileName' is missing") }
        }
    }

    /// Hardware whose list is not in ascending order: the vendor's applications check the last release only,
    /// and show "up to date" if an earlier one in the list is newer.
    package var disordered: [String] {
        var found: [String] = []
        for (earlier, later) in zip(releases, releases.dropFirst()) {
            guard let hardware = later.hardware, hardware == earlier.hardware,
                let one = scheme.version(earlier.version), let other = scheme.version(later.version),
                other <= one, !found.contains(hardware)
            else { continue }
            found.append(hardware)
        }
        return found
    }
}

extension YAMLValue {
    /// The members by key, whatever keys there are; of several members with one key, the first.
    fileprivate func firstMembers() throws(YAMLProblem) -> [String: YAMLValue] {
        Dictionary(try members().map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension CatalogueDraft {
    /// The family in a metainfo file of the LVFS (AppStream, `<component type="firmware">`). Packages are the
    /// files of `<checksum target="content">`, in the same folder.
    ///
    /// Mapped are each release's version, urgency, description and SHA-256; `LVFS::VersionFormat` if `scheme`
    /// is nil; and the component's `<requires><firmware compare="ge">` about itself, the lowest version that may be
    /// updated to its releases. Not mapped are `<provides>`, whose GUIDs no beacon reports, other checksums, dates
    /// and locations, and other requirements.
    package init(
        metainfo text: [UInt8], model: String, kind: FirmwareKind, by scheme: VersionScheme?
    ) throws(XMLProblem) {
        let component = try XMLElement(parsing: text)
        guard component.name == "component", component.attributes["type"] == "firmware" else {
            throw XMLProblem(
                line: component.line, message: "not an AppStream firmware component (type=\"firmware\")")
        }
        self.init(model, kind, scheme ?? Self.scheme(of: component))
        let minimum = component.all("requires").flatMap { $0.all("firmware") }.first {
            $0.attributes["compare"] == "ge" && $0.words.isEmpty
        }
        let lowest = try minimum.map { (limit) throws(XMLProblem) in try version(of: limit) }
        for element in component.all("releases").flatMap({ $0.all("release") }) {
            var release = Release(try version(of: element))
            let files = element.all("checksum").filter { $0.attributes["target"] == "content" }
            release.file = files.lazy.compactMap { $0.attributes["filename"] }.first
            release.sha256 = files.first { $0.attributes["type"] == "sha256" }?.words.lowercased()
            release.urgency = element.attributes["urgency"].flatMap(CatalogueFirmware.Urgency.init)
            let notes = element.all("description").map(\.words).joined(separator: " ")
            release.notes = notes.isEmpty ? nil : notes
            release.minimumInstalled = lowest
            releases.append(release)
        }
    }

    private func version(of element: XMLElement) throws(XMLProblem) -> String {
        guard let version = element.attributes["version"] else {
            throw XMLProblem(line: element.line, message: "<\(element.name)> has no version")
        }
        guard scheme.version(version) != nil else {
            throw XMLProblem(line: element.line, message: scheme.refusal(of: version))
        }
        return version
    }

    private static func scheme(of component: XMLElement) -> VersionScheme {
        let format = component.all("custom").flatMap { $0.all("value") }.first {
            $0.attributes["key"] == "LVFS::VersionFormat"
        }
        switch format?.words {
        case "plain", "number": return .number
        case "bcd": return .bcd
        default: return .dotted
        }
    }
}

extension CatalogueDraft {
    /// The family in a saved response of Kontakt.io's `GET /firmware`: releases that each list the units that
    /// take them. Only the vendor's own programs install them.
    ///
    /// `validVersions`, a list in one text, becomes its lowest version; `important` and `optional` become an
    /// urgency. Not mapped are `id`, `scheduled`, `url`, `fileExtension` and `crc32`: nothing is downloaded,
    /// and a file is identified by its SHA-256. Firmware for gateways (`deviceType`) is skipped.
    package init(namingUnits text: [UInt8], model: String, by scheme: VersionScheme) throws(YAMLProblem) {
        self.init(model, .vendorOnly, scheme)
        maker = "kontakt"
        vendorWay = Maker.kontakt.vendorWay
        let answer = try YAMLValue(parsing: text)
        for value in try answer.required("firmwares", in: try answer.firstMembers()).list() {
            let fields = try value.firstMembers()
            if let type = try fields["deviceType"]?.text(), type != "BEACON" { continue }
            let name = try value.required("name", in: fields)
            var release = Release(try name.text())
            guard scheme.version(release.version) != nil else {
                throw name.problem(scheme.refusal(of: release.version))
            }
            release.devices = try value.required("uniqueId", in: fields).texts()
            // Without a list of units the release would be for all.
            guard !release.devices.isEmpty else { continue }
            release.minimumInstalled = try fields["validVersions"].flatMap { (versions) throws(YAMLProblem) in
                try Self.lowest(in: versions, by: scheme)
            }
            if try fields["important"]?.text() == "true" {
                release.urgency = .high
            } else if try fields["optional"]?.text() == "true" {
                release.urgency = .low
            }
            release.notes = try fields["description"]?.text()
            releases.append(release)
        }
    }

    /// The lowest version in a text such as `3.0, 3.1`; nil if there is none.
    private static func lowest(in value: YAMLValue, by scheme: VersionScheme) throws(YAMLProblem) -> String? {
        let words = try value.text().split { !($0.isLetter || $0.isNumber || $0 == ".") }.map(String.init)
        var lowest: (order: OrderedVersion, text: String)?
        for word in words {
            guard let order = scheme.version(word) else {
                throw value.problem(scheme.refusal(of: word))
            }
            if lowest.map({ order < $0.order }) ?? true { lowest = (order, word) }
        }
        return lowest?.text
    }
}
