/// A rule of Legacy DFU that a client can break (nordic-legacy.md, Conversation and Client).
enum LegacyRule: ClientRule {
    case unknownRequest
    case requestOfWrongLength
    case startAgain
    case malformedStart
    case initOutOfOrder
    case dataWithoutRequest
    case dataBeforeInit
    case dataBeforeAnswer
    case packetNotWholeWords
    case dataBeyondImage
    case validateBeforeAllData
    case activateBeforeValidate

    var broken: BrokenRule {
        func rule(_ id: String, _ text: String, _ heading: String = "Conversation") -> BrokenRule {
            BrokenRule("legacy-" + id, text, in: "nordic-legacy.md, \(heading)")
        }
        return switch self {
        case .unknownRequest: rule("unknown-request", "a request that does not exist", "Refusals")
        case .requestOfWrongLength:
            rule("request-of-wrong-length", "a request without its parameter", "Layout")
        case .startAgain: rule("start-again", "a second Start on one link; only a reset recovers from it")
        case .malformedStart:
            rule("malformed-start", "invalid sizes, or sizes that do not fit in this beacon", "Layout")
        case .initOutOfOrder:
            rule("init-packet-out-of-order", "an init packet before Start was answered, or again")
        case .dataWithoutRequest:
            rule("data-without-request", "a packet before any request that defines its meaning")
        case .dataBeforeInit: rule("data-before-init", "a packet of the image before the init packet")
        case .dataBeforeAnswer: rule("data-before-answer", "a packet before the answer to Start")
        case .packetNotWholeWords:
            rule("packet-not-whole-words", "an image packet that is not a multiple of 4 bytes", "Layout")
        case .dataBeyondImage: rule("data-beyond-image", "more bytes than were announced")
        case .validateBeforeAllData:
            rule("validate-before-all-data", "Validate before the image has arrived")
        case .activateBeforeValidate:
            rule("activate-before-validate", "Activate without a successful Validate; it is just a reset")
        }
    }
}
