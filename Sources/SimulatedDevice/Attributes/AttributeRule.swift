/// A rule of the Attribute Protocol, or of a characteristic, that a client can break.
enum AttributeRule: ClientRule {
    /// The MTU is exchanged again.
    case exchangedMTUAgain
    /// The MTU that is asked for is below the least.
    case shortMTU
    /// A packet is longer than the MTU.
    case packetBeyondMTU
    /// A request comes before the response to the one before it.
    case requestBeforeResponse
    /// There is no such attribute.
    case invalidHandle
    /// A packet is no request of its kind.
    case malformedPacket
    /// The characteristic takes no Write Request.
    case requestNotPermitted
    /// The characteristic takes no Write Command.
    case commandNotPermitted
    /// A value is longer, or shorter, than the characteristic's.
    case valueTooLong
    /// A write that is answered comes before the client listens.
    case unsubscribed
    /// The characteristic does not send what is subscribed to.
    case unsupportedSubscription

    /// The rule behind a refusal of a packet with `opcode`; nil where asking is no mistake.
    init?(_ flaw: AttributeFlaw, of opcode: UInt8) {
        switch flaw.code {
        case AttributeFlaw.invalidHandle: self = .invalidHandle
        case AttributeFlaw.malformed: self = .malformedPacket
        case AttributeFlaw.writeNotPermitted: self = .requestNotPermitted
        case AttributeFlaw.invalidLength: self = .valueTooLong
        case AttributeFlaw.configurationImproper: self = .unsubscribed
        default: return nil
        }
    }

    var broken: BrokenRule {
        switch self {
        case .exchangedMTUAgain:
            BrokenRule(
                "mtu-exchanged-again", "Exchange MTU Request a second time on one link",
                in: "Core, Vol 3, Part F, 3.4.2.1")
        case .shortMTU:
            BrokenRule("mtu-too-small", "an MTU below 23 was asked for", in: "Core, Vol 3, Part F, 3.4.2.1")
        case .packetBeyondMTU:
            BrokenRule("packet-beyond-mtu", "a packet longer than the MTU", in: "Core, Vol 3, Part F, 3.2.8")
        case .requestBeforeResponse:
            BrokenRule(
                "request-before-response", "a request before the response to the last one",
                in: "Core, Vol 3, Part F, 3.3.2")
        case .invalidHandle:
            BrokenRule(
                "invalid-handle",
                "a handle or a range that is none here; handles of application and bootloader differ",
                in: "Core, Vol 3, Part F, 3.4.1.1")
        case .malformedPacket:
            BrokenRule(
                "malformed-packet", "a packet that is too short or too long for its kind",
                in: "Core, Vol 3, Part F, 3.4.1.1")
        case .requestNotPermitted:
            BrokenRule(
                "request-not-permitted",
                "a Write Request to an attribute that takes none", in: "Core, Vol 3, Part G, 3.3.1.1")
        case .commandNotPermitted:
            BrokenRule(
                "command-not-permitted",
                "a Write Command to a characteristic that takes none; it is dropped without a word",
                in: "Core, Vol 3, Part G, 3.3.1.1")
        case .valueTooLong:
            BrokenRule(
                "value-of-wrong-length", "a value of a length that the characteristic does not take",
                in: "Core, Vol 3, Part F, 3.4.5.1")
        case .unsubscribed:
            BrokenRule(
                "write-before-subscription", "a write before notifications are on, with which it is answered",
                in: "nordic-secure.md, Conversation")
        case .unsupportedSubscription:
            BrokenRule(
                "subscription-not-offered",
                "notifications or indications that the characteristic does not have",
                in: "Core, Vol 3, Part G, 3.3.3.3")
        }
    }
}
