package import Bytes
import UpdateModel

/// The available firmware for beacons: the content of a folder of YAML files (docs/formats/catalogue.md).
package struct Catalogue: Sendable {
    /// All models, in the order of the files and in each file's order.
    package let models: [CatalogueModel]

    package init(files: [(name: String, text: [UInt8])]) throws(CatalogueError) {
        let (catalogue, errors) = Self.reading(files)
        if let error = errors.first { throw error }
        self = catalogue
    }

    private init(models: [CatalogueModel]) { self.models = models }

    /// Parses the files as far as possible; returns the error for each file that cannot be parsed.
    package static func reading(_ files: [(name: String, text: [UInt8])]) -> (Catalogue, [CatalogueError]) {
        var models: [CatalogueModel] = []
        var errors: [CatalogueError] = []
        var seen: Set<[String]> = []
        for file in files {
            do throws(YAMLProblem) {
                for model in try CatalogueFile(parsing: file.text, named: file.name).models {
                    guard seen.insert([model.name, model.device.kind.rawValue]).inserted else {
                        throw YAMLProblem("model '\(model.name)' is also in another file")
                    }
                    models.append(model)
                }
            } catch { errors.append(CatalogueError(file: file.name, problem: error)) }
        }
        return (Catalogue(models: models), errors)
    }

    /// The models of this name, ignoring case; several if a model takes packages of several kinds.
    package func models(named name: String) -> [CatalogueModel] {
        models.filter { $0.name.lowercased() == name.lowercased() }
    }
}

package struct CatalogueError: Error, Hashable, Sendable {
    package let file: String
    package let problem: YAMLProblem
}

extension CatalogueError: CustomStringConvertible {
    package var description: String { "\(file): \(problem)" }
}
