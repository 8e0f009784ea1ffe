import Synchronization

/// Records a credit-based channel of a recorded link: the invented packets that open it, its data and its end.
final class ChannelRecorder: PacketRecorder {
    private let link: LinkRecorder
    private let pair: ChannelPair
    private let isOver = Mutex(false)

    init(on link: LinkRecorder, _ pair: ChannelPair, psm: UInt16, maximumPacket: Int) {
        self.link = link
        self.pair = pair
        link.add(pair.request(psm: psm, maximumPacket: maximumPacket), .sent, on: ChannelPair.signals)
        link.add(pair.response(maximumPacket: maximumPacket), .received, on: ChannelPair.signals)
    }

    func add(_ packet: [UInt8], _ direction: Direction) {
        isOver.withLock { isOver in
            guard !isOver else { return }
            link.add(pair.frame(packet), direction, on: direction == .sent ? pair.theirs : pair.ours)
        }
    }

    func encrypted() { link.encrypted() }

    func expectEnd(_ ending: LinkRecorder.Ending) {}

    /// If the link ends, its recorder records that.
    func end(_ ending: LinkRecorder.Ending) {
        isOver.withLock { isOver in
            guard !isOver else { return }
            isOver = true
            guard ending == .byUs else { return }
            link.add(pair.disconnection(isRequest: true), .sent, on: ChannelPair.signals)
            link.add(pair.disconnection(isRequest: false), .received, on: ChannelPair.signals)
        }
    }
}
