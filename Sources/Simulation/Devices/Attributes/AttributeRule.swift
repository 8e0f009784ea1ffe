/// A rule of the Attribute Protocol, or of a characteristic, that a client can break.
struct AttributeRule: ClientRule {
    let broken: BrokenRule

    static let exchangedMTUAgain = Self(
        "mtu-exchanged-again", "Exchange MTU Request a second time on one link",
        in: "Core, Vol 3, Part F, 3.4.2.1")
    static let shortMTU = Self(
        "mtu-too-small", "an MTU below 23 was requested", in: "Core, Vol 3, Part F, 3.4.2.1")
    static let packetBeyondMTU = Self(
        "packet-beyond-mtu", "a packet longer than the MTU", in: "Core, Vol 3, Part F, 3.2.8")
    static let requestBeforeResponse = Self(
        "request-before-response", "a request before the response to the previous one",
        in: "Core, Vol 3, Part F, 3.3.2")
    static let invalidHandle = Self(
        "invalid-handle",
        "a handle or range that does not exist; application and bootloader use different handles",
        in: "Core, Vol 3, Part F, 3.4.1.1")
    static let malformedPacket = Self(
        "malformed-packet", "a packet that is too short or too long for its kind",
        in: "Core, Vol 3, Part F, 3.4.1.1")
    static let requestNotPermitted = Self(
        "request-not-permitted", "a Write Request to an attribute that does not accept it",
        in: "Core, Vol 3, Part G, 3.3.1.1")
    static let commandNotPermitted = Self(
        "command-not-permitted",
        "a Write Command to a characteristic that does not accept it; it is dropped silently",
        in: "Core, Vol 3, Part G, 3.3.1.1")
    static let valueTooLong = Self(
        "value-of-wrong-length", "a value of a length that the characteristic does not accept",
        in: "Core, Vol 3, Part F, 3.4.5.1")
    static let unsubscribed = Self(
        "write-before-subscription", "a write before the notifications that answer it are on",
        in: "nordic-secure.md, Conversation")
    static let unsupportedSubscription = Self(
        "subscription-not-offered",
        "a subscription to notifications or indications that the characteristic does not send",
        in: "Core, Vol 3, Part G, 3.3.3.3")

    static let allCases = [
        exchangedMTUAgain, shortMTU, packetBeyondMTU, requestBeforeResponse, invalidHandle, malformedPacket,
        requestNotPermitted, commandNotPermitted, valueTooLong, unsubscribed, unsupportedSubscription,
    ]

    private init(_ id: String, _ text: String, in source: String) {
        broken = BrokenRule(id, text, in: source)
    }

    /// The rule that a refused packet with `opcode` broke; nil if the request was legitimate.
    init?(_ flaw: AttributeRefusal, of opcode: UInt8) {
        switch flaw.code {
        case .invalidHandle: self = .invalidHandle
        case .malformed: self = .malformedPacket
        case .writeNotPermitted: self = .requestNotPermitted
        case .invalidLength: self = .valueTooLong
        case .configurationImproper: self = .unsubscribed
        default: return nil
        }
    }
}
