/// The parts of a SARIF log that are written, named as the standard names their members.
extension SARIFReport {
    struct Log: Encodable {
        let schema: String
        let version: String
        let runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }
    }

    struct Run: Encodable {
        let tool: Tool
        let artifacts: [Artifact]
        let results: [Outcome]
        let columnKind: String
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name: String
        let version: String
        let rules: [Descriptor]
    }

    struct Descriptor: Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration
        let properties: Properties
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Properties: Encodable {
        let tags: [String]
    }

    struct Message: Encodable {
        let text: String
    }

    struct Artifact: Encodable {
        let location: ArtifactLocation
        let length: Int?
        let hashes: [String: String]?
    }

    struct ArtifactLocation: Encodable {
        let uri: String
        let index: Int?
    }

    struct Outcome: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
    }

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation
        let logicalLocations: [LogicalLocation]?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region?
    }

    struct Region: Encodable {
        let byteOffset: Int
        let byteLength: Int
    }

    struct LogicalLocation: Encodable {
        let fullyQualifiedName: String
    }
}
