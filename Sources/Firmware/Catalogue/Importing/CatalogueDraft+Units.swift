public import Bytes
public import UpdateModel

extension CatalogueDraft {
    /// The family in a saved response of Kontakt.io's `GET /firmware`: releases that each list the units that
    /// take them. Only the vendor's own programs install them.
    ///
    /// `validVersions`, a list in one text, becomes its lowest version; `important` and `optional` become an
    /// urgency. Not mapped are `id`, `scheduled`, `url`, `fileExtension` and `crc32`: nothing is downloaded,
    /// and a file is identified by its SHA-256. Firmware for gateways (`deviceType`) is skipped.
    public init(namingUnits text: [UInt8], model: String, by scheme: VersionScheme) throws(YAMLProblem) {
        self.init(model, .vendorOnly, scheme)
        maker = "kontakt"
        vendorWay = "update it with Kontakt.io's application, signed in with the account that owns it"
        let answer = try YAMLValue(parsing: text)
        let members = Dictionary(try answer.members().map { ($0.key, $0.value) }) { first, _ in first }
        for value in try answer.required("firmwares", in: members).list() {
            let fields = Dictionary(try value.members().map { ($0.key, $0.value) }) { first, _ in first }
            if let type = try fields["deviceType"]?.text(), type != "BEACON" { continue }
            let name = try value.required("name", in: fields)
            var release = Release(try name.text())
            guard scheme.version(release.version) != nil else {
                throw name.problem("'\(release.version)' is not a version of the scheme \(scheme.rawValue)")
            }
            for id in try value.required("uniqueId", in: fields).list() {
                release.devices.append(try id.text())
            }
            // Without a unit it would apply to all.
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
                throw value.problem("'\(word)' is not a version of the scheme \(scheme.rawValue)")
            }
            if lowest.map({ order < $0.order }) ?? true { lowest = (order, word) }
        }
        return lowest?.text
    }
}
