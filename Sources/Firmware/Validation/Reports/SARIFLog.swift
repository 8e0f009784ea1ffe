/// The parts of a SARIF log that are written, with the member names of the standard.
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
        let automationDetails: AutomationDetails
        let artifacts: [Artifact]
        let results: [Outcome]
        let columnKind: String
        let invocations: [Invocation]
    }

    struct Invocation: Encodable {
        let executionSuccessful: Bool
    }

    /// The part of its identifier before the last slash is the category in code scanning.
    struct AutomationDetails: Encodable {
        let id: String
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name: String
        let version: String
        let semanticVersion: String
        let rules: [Descriptor]
    }

    struct Descriptor: Encodable {
        let id: String
        let name: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Help
        let helpUri: String?
        let defaultConfiguration: Configuration
        let properties: Properties
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Properties: Encodable {
        let tags: [String]
        let severity: String
        var precision = "very-high"

        enum CodingKeys: String, CodingKey {
            case tags, precision
            case severity = "problem.severity"
        }
    }

    struct Help: Encodable {
        let text: String
        let markdown: String
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
        let partialFingerprints: [String: String]
    }

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation
        let logicalLocations: [LogicalLocation]?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region
    }

    /// For viewers of lines, such as code scanning, the whole file is line 1; the offset is for viewers of bytes.
    struct Region: Encodable {
        var startLine = 1
        var startColumn = 1
        var endLine = 1
        var endColumn = 2
        let byteOffset: Int?
        let byteLength: Int?
    }

    struct LogicalLocation: Encodable {
        let fullyQualifiedName: String
    }
}
