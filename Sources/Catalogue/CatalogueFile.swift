import YAMLText

/// One file of a catalogue (docs/formats/catalogue.md).
struct CatalogueFile {
    let models: [CatalogueModel]

    init(parsing text: [UInt8]) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["catalogue", "vendor", "models"])
        guard let version = values["catalogue"] else { throw root.problem("'catalogue: 1' is missing") }
        guard try version.number(as: Int.self) == 1 else {
            throw version.problem("only version 1 of the format is known")
        }
        _ = try values["vendor"]?.text()
        guard let list = values["models"] else { throw root.problem("'models' is missing") }
        var models: [CatalogueModel] = []
        var seen: Set<[String]> = []
        for value in try list.list() {
            let model = try CatalogueModel(value)
            guard seen.insert([model.name, model.kind]).inserted else {
                throw value.problem("model '\(model.name)' stands twice")
            }
            models.append(model)
        }
        self.models = models
    }
}

extension CatalogueModel {
    private static let kinds = ["nordic-secure", "nordic-legacy", "suota", "fbeacon"]
    private static let headers = ["58x", "68x", "69x"]

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: ["model", "kind", "hardware", "number", "header", "firmware"])
        func required(_ key: String) throws(YAMLProblem) -> YAMLValue {
            guard let found = values[key] else { throw value.problem("'\(key)' is missing") }
            return found
        }
        name = try required("model").text()
        kind = try required("kind").choice(of: Self.kinds)
        hardware = try values["hardware"]?.number()
        number = try values["number"]?.number()
        header = try values["header"]?.choice(of: Self.headers)
        var firmware: [Firmware] = []
        for value in try values["firmware"]?.list() ?? [] { firmware.append(try Firmware(value)) }
        self.firmware = firmware
    }
}

extension CatalogueModel.Firmware {
    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: ["version", "timestamp", "sha256"])
        guard let version = values["version"] else { throw value.problem("'version' is missing") }
        self.version = try version.text()
        timestamp = try values["timestamp"]?.number()
        sha256 = try values["sha256"].map { (value) throws(YAMLProblem) in
            let digits = try value.text().lowercased()
            guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
                throw value.problem("a SHA-256 has 64 hexadecimal digits")
            }
            return digits
        }
    }
}
