/// The result of a write to a SUOTA receiver.
public struct SUOTAReply: Hashable, Sendable {
    /// The Attribute Protocol's error code, for a write that requires a response.
    public var refusal: UInt8?
    /// The further reactions; `notify` is for STATUS.
    public var reactions: [FirmwareReaction] = []

    init(refusal: UInt8? = nil, _ reactions: [FirmwareReaction] = []) {
        self.refusal = refusal
        self.reactions = reactions
    }

    /// The write has a wrong length (Core, Vol 3, Part F, 3.4.1.1).
    static let invalidLength = SUOTAReply(refusal: 0x0D)
    /// The application's error code.
    static let refused = SUOTAReply(refusal: 0x80)
}
