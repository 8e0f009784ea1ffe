import Bytes
import UpdateModel

/// One file of a catalogue (docs/formats/catalogue.md).
struct CatalogueFile {
    static let keys = ["catalogue", "vendor", "models"]

    let models: [CatalogueModel]

    init(parsing text: [UInt8], named name: String) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: Self.keys)
        guard let version = values["catalogue"] else { throw root.problem("'catalogue: 1' is missing") }
        guard try version.number(as: Int.self) == 1 else {
            throw version.problem("only version 1 of the format is supported")
        }
        _ = try values["vendor"]?.text()
        guard let list = values["models"] else { throw root.problem("'models' is missing") }
        var models: [CatalogueModel] = []
        var seen: Set<[String]> = []
        for value in try list.list() {
            let model = try CatalogueModel(value, in: name)
            guard seen.insert([model.name, model.device.kind.rawValue]).inserted else {
                throw value.problem("model '\(model.name)' appears twice")
            }
            models.append(model)
        }
        self.models = models
    }
}

extension CataloguePlace {
    init(_ value: YAMLValue, in file: String) {
        self.init(file: file, line: value.line, column: value.column)
    }
}
