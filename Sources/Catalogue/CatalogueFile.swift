import FirmwareModel
import UpdateCore
import Vendors
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
            guard seen.insert([model.name, model.device.kind.rawValue]).inserted else {
                throw value.problem("model '\(model.name)' appears twice")
            }
            models.append(model)
        }
        self.models = models
    }
}

extension CatalogueModel {
    private static var keys: [DeviceKey] { KnownVendors.all.flatMap(\.modelKeys) }

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: ["model", "kind"] + Self.keys.map(\.name) + ["firmware"])
        func required(_ key: String) throws(YAMLProblem) -> YAMLValue {
            guard let found = values[key] else { throw value.problem("'\(key)' is missing") }
            return found
        }
        let name = try required("model").text()
        let kind = try required("kind").choice(of: KnownVendors.kinds.map(\.rawValue))
        var facts = TargetDevice()
        for key in Self.keys { facts[key.name] = try values[key.name]?.text(for: key) }
        device = DeviceModel(name: name, kind: FirmwareKind(rawValue: kind), facts: facts)
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

extension YAMLValue {
    fileprivate func text(for key: DeviceKey) throws(YAMLProblem) -> String {
        let text = try text()
        guard key.takes(text) else {
            throw problem(key.refusal(of: text))
        }
        return text
    }
}
