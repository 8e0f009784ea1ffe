import Bytes
import UpdateModel

extension CatalogueFirmware {
    /// The keys of every release, in the order of the format's documentation.
    static let keys = [
        "version", "package_version", "timestamp", "file", "sha256", "channel", "models", "hardware_versions",
        "devices", "minimum_installed", "through", "notes", "urgency", "key", "withdrawn",
    ]

    init(_ value: YAMLValue, by scheme: VersionScheme, in file: String) throws(YAMLProblem) {
        let values = try value.values(of: Self.keys)
        func version(_ key: String) throws(YAMLProblem) -> String? {
            guard let found = values[key] else { return nil }
            let text = try found.text()
            // Versions without an order were allowed before there were schemes.
            guard scheme == .digits || scheme.version(text) != nil else {
                throw found.problem(scheme.refusal(of: text))
            }
            return text
        }
        guard let own = try version("version") else { throw value.problem("'version' is missing") }
        self.version = own
        packageVersion = try values["package_version"]?.text()
        timestamp = try values["timestamp"]?.number()
        self.file = try values["file"]?.relativePath()
        sha256 = try values["sha256"]?.sha256()
        guard self.file == nil || sha256 != nil else {
            throw value.problem("'sha256' is missing: 'file' requires it")
        }
        channel = try values["channel"]?.word() ?? .release
        models = try values["models"]?.texts { (value) throws(YAMLProblem) in try value.pattern() } ?? []
        hardware = try values["hardware_versions"]?.texts() ?? []
        devices = try values["devices"]?.texts() ?? []
        minimumInstalled = try version("minimum_installed")
        through = try version("through")
        notes = try values["notes"]?.text()
        urgency = try values["urgency"]?.word()
        key = try values["key"]?.relativePath()
        withdrawn = try values["withdrawn"]?.text()
        place = CataloguePlace(value, in: file)
    }
}

extension YAMLValue {
    fileprivate func sha256() throws(YAMLProblem) -> String {
        let digits = try text().lowercased()
        guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
            throw problem("a SHA-256 needs 64 hexadecimal digits")
        }
        return digits
    }

    /// A path relative to the catalogue's folder: a catalogue can be moved with its files.
    fileprivate func relativePath() throws(YAMLProblem) -> String {
        let path = try text()
        guard !path.isEmpty, !path.hasPrefix("/") else {
            throw problem("a path must be relative to the folder of this file")
        }
        return path
    }

    func texts(
        _ read: (YAMLValue) throws(YAMLProblem) -> String = { (item) throws(YAMLProblem) in try item.text() }
    ) throws(YAMLProblem) -> [String] {
        try list().map(read)
    }
}

extension VersionScheme {
    /// Why `text` is refused as a version.
    func refusal(of text: String) -> String { "'\(text)' is not a version of the scheme \(rawValue)" }
}
