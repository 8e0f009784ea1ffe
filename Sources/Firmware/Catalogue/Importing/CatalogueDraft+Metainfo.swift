public import UpdateModel

extension CatalogueDraft {
    /// The family in a metainfo file of the LVFS (AppStream, `<component type="firmware">`). Packages are the
    /// files of `<checksum target="content">`, in the same folder.
    ///
    /// Mapped are each release's version, urgency, description and SHA-256; `LVFS::VersionFormat` if `scheme`
    /// is nil; and the component's `<requires><firmware compare="ge">` about itself, the lowest version that
    /// takes them. Not mapped are `<provides>`, whose GUIDs no beacon reports, other checksums, dates and
    /// locations, and other requirements.
    public init(
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
            throw XMLProblem(
                line: element.line, message: "'\(version)' is not a version of the scheme \(scheme.rawValue)")
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
