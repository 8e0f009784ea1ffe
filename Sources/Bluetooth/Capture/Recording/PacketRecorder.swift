/// Records the packets of one channel.
protocol PacketRecorder: Sendable {
    /// Adds one packet.
    func add(_ packet: [UInt8], _ direction: Direction)
    /// The link is encrypted from here on.
    func encrypted()
    /// The channel has ended, but earlier packets may not be recorded yet.
    func expectEnd(_ ending: LinkRecorder.Ending)
    /// The channel has ended. Only the first reason counts, and nothing is recorded after it.
    func end(_ ending: LinkRecorder.Ending)
}
