import FirmwareModel
public import YAMLText

/// Which firmware there is for which beacons: the content of a folder of YAML files (docs/formats/catalogue.md).
public struct Catalogue: Sendable {
    /// All models, in the order of the files and in each file's order.
    public let models: [CatalogueModel]

    /// Reads the files, each with its name for messages.
    public init(files: [(name: String, text: [UInt8])]) throws(CatalogueError) {
        let (catalogue, errors) = Self.reading(files)
        if let error = errors.first { throw error }
        self = catalogue
    }

    private init(models: [CatalogueModel]) { self.models = models }

    /// What can be read of the files, and for each other file why it cannot.
    public static func reading(
        _ files: [(name: String, text: [UInt8])]
    ) -> (Catalogue, [CatalogueError]) {
        var models: [CatalogueModel] = []
        var errors: [CatalogueError] = []
        var seen: Set<[String]> = []
        for file in files {
            do throws(YAMLProblem) {
                for model in try CatalogueFile(parsing: file.text, named: file.name).models {
                    guard seen.insert([model.name, model.device.kind.rawValue]).inserted else {
                        throw YAMLProblem("model '\(model.name)' is in another file too")
                    }
                    models.append(model)
                }
            } catch { errors.append(CatalogueError(file: file.name, problem: error)) }
        }
        return (Catalogue(models: models), errors)
    }

    /// The models of this name; more than one when a model takes packages of several kinds.
    public func models(named name: String) -> [CatalogueModel] {
        models.filter { $0.name.lowercased() == name.lowercased() }
    }
}

/// Why a catalogue cannot be read.
public struct CatalogueError: Error, Hashable, Sendable {
    /// The name of the file.
    public let file: String
    /// What is wrong with it, and where.
    public let problem: YAMLProblem
}

extension CatalogueError: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(file): \(problem)" }
}
