/// What a SUOTA receiver has recorded over its life.
public struct SUOTARecord: Hashable, Sendable {
    /// Starts answered with 10.
    public internal(set) var starts = 0
    /// Blocks answered with 02.
    public internal(set) var blocks = 0
    /// Image bytes received, over the attributes or the channel, including repeated ones.
    public internal(set) var bytes = 0
    /// The number of channel packets with image bytes.
    public internal(set) var channelPackets = 0
    /// END commands.
    public internal(set) var ends = 0
    /// REBOOT commands.
    public internal(set) var reboots = 0
    /// Power losses and resets.
    public internal(set) var resets = 0
    /// The client's errors, in order.
    public internal(set) var clientErrors: [SUOTAClientError] = []

    init() {}
}
