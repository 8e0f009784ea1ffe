/// A rule of the Attribute Protocol, or of a characteristic, that a client can break.
struct AttributeRule: ClientRule {
    let broken: BrokenRule

    static let exchangedMTUAgain = core(
        "mtu-exchanged-again", "Exchange MTU Request a second time on one link", "F, 3.4.2.1")
    static let shortMTU = core("mtu-too-small", "an MTU below 23 was requested", "F, 3.4.2.1")
    static let packetBeyondMTU = core("packet-beyond-mtu", "a packet longer than the MTU", "F, 3.2.8")
    static let requestBeforeResponse = core(
        "request-before-response", "a request before the response to the previous one", "F, 3.3.2")
    static let invalidHandle = core(
        "invalid-handle",
        "a handle or range that does not exist; application and bootloader use different handles",
        "F, 3.4.1.1")
    static let malformedPacket = core(
        "malformed-packet", "a packet that is too short or too long for its kind", "F, 3.4.1.1")
    static let requestNotPermitted = core(
        "request-not-permitted", "a Write Request to an attribute that does not accept it", "G, 3.3.1.1")
    static let commandNotPermitted = core(
        "command-not-permitted",
        "a Write Command to a characteristic that does not accept it; it is dropped silently", "G, 3.3.1.1")
    static let valueTooLong = core(
        "value-of-wrong-length", "a value of a length that the characteristic does not accept", "F, 3.4.5.1")
    static let unsubscribed = Self(
        broken: BrokenRule(
            "write-before-subscription", "a write before the notifications that answer it are on",
            in: "nordic-secure.md, Conversation"))
    static let unsupportedSubscription = core(
        "subscription-not-offered",
        "a subscription to notifications or indications that the characteristic does not send",
        "G, 3.3.3.3")

    static let allCases = [
        exchangedMTUAgain, shortMTU, packetBeyondMTU, requestBeforeResponse, invalidHandle, malformedPacket,
        requestNotPermitted, commandNotPermitted, valueTooLong, unsubscribed, unsupportedSubscription,
    ]

    /// A rule of volume 3 of the Core Specification, with its part and section.
    private static func core(_ id: String, _ text: String, _ section: String) -> Self {
        Self(broken: BrokenRule(id, text, in: "Core, Vol 3, Part \(section)"))
    }
}

extension AttributeRule {
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
