/// A rule of the Attribute Protocol, or of a characteristic, that a client can break.
enum AttributeRule: String, ClientRule {
    case mtuExchangedAgain, mtuTooSmall, packetBeyondMTU, requestBeforeResponse, invalidHandle,
        malformedPacket, requestNotPermitted, commandNotPermitted, valueOfWrongLength,
        writeBeforeSubscription, subscriptionNotOffered

    static let prefix = ""
    static let page = "Core, Vol 3, Part"

    var broken: BrokenRule {
        switch self {
        case .mtuExchangedAgain: rule("Exchange MTU Request a second time on one link", "F, 3.4.2.1")
        case .mtuTooSmall: rule("an MTU below 23 was requested", "F, 3.4.2.1")
        case .packetBeyondMTU: rule("a packet longer than the MTU", "F, 3.2.8")
        case .requestBeforeResponse: rule("a request before the response to the previous one", "F, 3.3.2")
        case .invalidHandle:
            rule(
                "a handle or range that does not exist; application and bootloader use different handles",
                "F, 3.4.1.1")
        case .malformedPacket: rule("a packet that is too short or too long for its kind", "F, 3.4.1.1")
        case .requestNotPermitted:
            rule("a Write Request to an attribute that does not accept it", "G, 3.3.1.1")
        case .commandNotPermitted:
            rule(
                "a Write Command to a characteristic that does not accept it; it is dropped silently",
                "G, 3.3.1.1")
        case .valueOfWrongLength:
            rule("a value of a length that the characteristic does not accept", "F, 3.4.5.1")
        case .writeBeforeSubscription:
            BrokenRule(
                id, "a write before the notifications that answer it are on",
                in: "nordic-secure.md, Conversation")
        case .subscriptionNotOffered:
            rule(
                "a subscription to notifications or indications that the characteristic does not send",
                "G, 3.3.3.3")
        }
    }
}

extension AttributeRule {
    /// The rule that the refused request broke; nil if it was legitimate.
    init?(_ refusal: AttributeRefusal) {
        switch refusal.code {
        case .invalidHandle: self = .invalidHandle
        case .malformed: self = .malformedPacket
        case .writeNotPermitted: self = .requestNotPermitted
        case .invalidLength: self = .valueOfWrongLength
        case .configurationImproper: self = .writeBeforeSubscription
        default: return nil
        }
    }
}

/// Why a server refuses a request (Core, Vol 3, Part F, 3.4.1.1).
struct AttributeRefusal: Error, Hashable, Sendable {
    enum Code: UInt8, Sendable {
        case invalidHandle = 0x01
        case readNotPermitted = 0x02
        case writeNotPermitted = 0x03
        case malformed = 0x04
        case insufficientAuthentication = 0x05
        case notSupported = 0x06
        case invalidOffset = 0x07
        case insufficientAuthorization = 0x08
        case notFound = 0x0A
        case invalidLength = 0x0D
        case unsupportedGroup = 0x10
        case configurationImproper = 0xFD
    }

    let code: Code
    /// The handle of the attribute that caused the error; 0 for none.
    let handle: UInt16

    init(_ code: Code, at handle: UInt16 = 0) { (self.code, self.handle) = (code, handle) }
}
