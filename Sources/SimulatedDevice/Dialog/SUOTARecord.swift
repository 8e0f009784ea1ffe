/// What happened to a SUOTA receiver in its life.
public struct SUOTARecord: Hashable, Sendable {
    /// Starts that were answered with 10.
    public internal(set) var starts = 0
    /// Blocks that were answered with 02.
    public internal(set) var blocks = 0
    /// Image bytes that came, over the attributes or the channel, repeated ones too.
    public internal(set) var bytes = 0
    /// Packets of the channel among them.
    public internal(set) var channelPackets = 0
    /// END commands.
    public internal(set) var ends = 0
    /// REBOOT commands.
    public internal(set) var reboots = 0
    /// Times that the power went or a reset came.
    public internal(set) var resets = 0
    /// What the client should not have done, in order.
    public internal(set) var clientErrors: [SUOTAClientError] = []

    init() {}
}
