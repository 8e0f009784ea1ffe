/// A rule of Secure DFU that a client can break (nordic-secure.md, Conversation and Checks).
enum SecureRule: ClientRule {
    case unknownRequest
    case requestOfWrongLength
    case unknownObject
    case emptyObject
    case longInitPacket
    case objectNotAPage
    case longObject
    case objectBeyondImage
    case dataBeforeInit
    case dataBeforeCreate
    case dataBeyondObject
    case dataBeforeAnswer
    case requestBeforeAnswer
    case executeBeforeAllData
    case checksumIgnored

    var broken: BrokenRule {
        func rule(_ id: String, _ text: String, _ heading: String = "Conversation") -> BrokenRule {
            BrokenRule("secure-" + id, text, in: "nordic-secure.md, \(heading)")
        }
        return switch self {
        case .unknownRequest: rule("unknown-request", "a request that does not exist", "Refusals")
        case .requestOfWrongLength:
            rule("request-of-wrong-length", "a request with too few or too many bytes", "Personalities")
        case .unknownObject:
            rule("unknown-object", "an object that is neither 1, an init packet, nor 2, data", "Refusals")
        case .emptyObject: rule("empty-object", "Create of an empty object", "Personalities")
        case .longInitPacket:
            rule(
                "init-packet-too-long", "Create of an init packet longer than Select reports",
                "Personalities")
        case .objectNotAPage:
            rule(
                "object-not-a-page",
                "Create of a data object that is neither whole pages nor the rest of the image",
                "Personalities")
        case .longObject:
            rule(
                "object-too-long", "Create of a data object longer than Select reports", "Personalities")
        case .objectBeyondImage:
            rule(
                "object-beyond-image", "Create of a data object that ends after the image", "Personalities")
        case .dataBeforeInit: rule("data-before-init", "data before an init packet was executed")
        case .dataBeforeCreate: rule("data-before-create", "data without an object that accepts it", "Checks")
        case .dataBeyondObject: rule("data-beyond-object", "data past the end of its object", "Checks")
        case .dataBeforeAnswer: rule("data-before-answer", "data before the answer to Execute", "Checks")
        case .requestBeforeAnswer:
            rule("request-before-answer", "a request before the answer to the previous one", "Checks")
        case .executeBeforeAllData:
            rule("execute-before-all-data", "Execute of an object that is not complete")
        case .checksumIgnored:
            rule(
                "checksum-ignored",
                "Execute although the last answer to Get CRC, or the last receipt, named too few bytes")
        }
    }
}
