import Foundation

/// A JSON Schema of this repository, as published.
package struct PublishedSchema: Sendable {
    /// Whether Python's jsonschema is there, with PyYAML.
    package static let hasValidator =
        (try? Tool.run(["python3", "-c", "import jsonschema, yaml"]).status) == 0

    private let path: String

    /// The schema at `path` below the repository's root.
    package init(_ path: String) { self.path = Samples.root + "/" + path }

    /// A missing part of the schema.
    package struct Gap: Error {
        let words: String
    }

    /// The properties of the definition `name`, or of the whole if it is nil. Throws if it allows others.
    package func properties(_ name: String?) throws -> [String: Any] {
        let schema = try JSONSerialization.jsonObject(with: Data(Samples.file(at: path))) as? [String: Any]
        let definitions = schema?["$defs"] as? [String: Any]
        let object = name.map { definitions?[$0] as? [String: Any] } ?? schema
        guard object?["additionalProperties"] as? Bool == false,
            let properties = object?["properties"] as? [String: Any]
        else { throw Gap(words: "\(name ?? "the schema") is no closed object") }
        return properties
    }

    /// The permitted words of the property `key`.
    package func words(_ key: String, of name: String?) throws -> [String] {
        let value = try properties(name)[key] as? [String: Any]
        guard let words = value?["enum"] as? [String] else { throw Gap(words: "\(key) has no words") }
        return words
    }

    /// The range of the number `key`.
    package func range(_ key: String, of name: String) throws -> ClosedRange<Int> {
        let value = try properties(name)[key] as? [String: Any]
        guard let least = value?["minimum"] as? Int, let most = value?["maximum"] as? Int, least <= most
        else { throw Gap(words: "\(key) has no range") }
        return least...most
    }

    /// The number of errors that the validator finds in each of `files`.
    package func flaws(in files: [String]) throws -> [Int] {
        let script = """
            import json, sys, yaml
            from jsonschema import Draft202012Validator as Validator
            schema = json.load(open(sys.argv[1]))
            Validator.check_schema(schema)
            for path in sys.argv[2:]:
                print(sum(1 for _ in Validator(schema).iter_errors(yaml.safe_load(open(path)))))
            """
        return try Tool.run(["python3", "-c", script, path] + files).text.split(separator: "\n")
            .compactMap { Int($0) }
    }
}
