package import Bytes
import UpdateModel

/// The available firmware for beacons: the content of a folder of YAML files (docs/formats/catalogue.md).
package struct Catalogue: Sendable {
    /// All families, in the order of the files and in each file's order.
    package let families: [CatalogueFamily]

    package init(files: [(name: String, text: [UInt8])]) throws(CatalogueError) {
        let (catalogue, errors) = Self.parse(files)
        if let error = errors.first { throw error }
        self = catalogue
    }

    private init(families: [CatalogueFamily]) { self.families = families }

    /// Parses the files as far as possible; returns the error for each file that cannot be parsed.
    package static func parse(_ files: [(name: String, text: [UInt8])]) -> (Catalogue, [CatalogueError]) {
        var families: [CatalogueFamily] = []
        var errors: [CatalogueError] = []
        var seen: Set<[String]> = []
        for file in files {
            do throws(YAMLProblem) {
                for family in try CatalogueFile(parsing: file.text, named: file.name).families {
                    guard seen.insert([family.name, family.device.kind.rawValue]).inserted else {
                        throw YAMLProblem("model '\(family.name)' is also in another file")
                    }
                    families.append(family)
                }
            } catch { errors.append(CatalogueError(file: file.name, problem: error)) }
        }
        return (Catalogue(families: families), errors)
    }

    /// The families of this name, ignoring case; several if the beacons take packages of several kinds.
    package func families(named name: String) -> [CatalogueFamily] {
        families.filter { $0.name.lowercased() == name.lowercased() }
    }
}

package struct CatalogueError: Error, Hashable, Sendable {
    package let file: String
    package let problem: YAMLProblem
}

extension CatalogueError: CustomStringConvertible {
    package var description: String { "\(file): \(problem)" }
}
