import Bytes
import Synchronization

/// Records one link: its beginning, its attribute packets, its end.
final class LinkRecorder: PacketRecorder {
    /// Why a link has ended (Vol 1, Part F, 1.3).
    enum Ending: UInt8, Sendable {
        case timeout = 0x08
        case byPeer = 0x13
        case byUs = 0x16
        case unspecified = 0x1F
    }

    /// The attribute protocol's fixed channel (Vol 3, Part A, 2.1).
    static let attributeChannel: UInt16 = 0x0004

    /// The maximum data of one HCI packet in bytes: the limit of controllers that share their buffers with BR/EDR. No
    /// attribute packet is longer, so each is one record.
    static let longestData = 1021

    private let file: CaptureFile
    private let handle: UInt16
    private let state = Mutex(State())

    private struct State: Sendable {
        var isOver = false
        var expected: Ending?
        var channels = 0
    }

    init(in file: CaptureFile, peer: DeviceAddress, interval: Duration?, supervisionTimeout: Duration?) {
        self.file = file
        handle = file.takeHandle()
        let opening = LinkOpening(
            handle: handle, peer: peer, interval: interval, supervisionTimeout: supervisionTimeout)
        file.add([.connected(opening)], .received)
    }

    func add(_ packet: [UInt8], _ direction: Direction) { add(packet, direction, on: Self.attributeChannel) }

    /// Begins to record a credit-based channel of the link.
    func channel(psm: UInt16, maximumPacket: Int) -> ChannelRecorder {
        let number = state.withLock { state in
            defer { state.channels += 1 }
            return state.channels
        }
        return ChannelRecorder(on: self, ChannelPair(number: number), psm: psm, maximumPacket: maximumPacket)
    }

    func add(_ packet: [UInt8], _ direction: Direction, on channel: UInt16) {
        let packets = Self.pieces(of: packet, on: handle, channel, direction)
        whileOpen { file.add(packets, direction) }
    }

    func encrypted() { whileOpen { file.add([.encrypted(handle: handle)], .received) } }

    func expectEnd(_ ending: Ending) { state.withLock { $0.expected = $0.expected ?? ending } }

    func end(_ ending: Ending) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            let reason = (state.expected ?? ending).rawValue
            file.add([.disconnected(handle: handle, reason: reason)], .received)
        }
    }

    private func whileOpen(_ body: () -> Void) { state.withLock { state in if !state.isOver { body() } } }

    /// `packet` with its L2CAP header (Vol 3, Part A, 3.1), split into HCI packets; empty if `packet` is too long
    /// for L2CAP.
    ///
    ///     0  2  length of what follows the header
    ///     2  2  channel
    private static func pieces(
        of packet: [UInt8], on handle: UInt16, _ channel: UInt16, _ direction: Direction
    ) -> [HCIPacket] {
        guard let length = UInt16(exactly: packet.count) else { return [] }
        let bytes = length.bytes() + channel.bytes() + packet
        return stride(from: 0, to: bytes.count, by: longestData).map { start in
            let first: ACLFragment = direction == .sent ? .firstFromHost : .firstFromController
            let data = Array(bytes[start..<min(start + longestData, bytes.count)])
            return .data(handle: handle, start == 0 ? first : .continuing, data)
        }
    }
}

protocol PacketRecorder: Sendable {
    func add(_ packet: [UInt8], _ direction: Direction)
    func encrypted()
    /// The channel has ended, but earlier packets may not be recorded yet.
    func expectEnd(_ ending: LinkRecorder.Ending)
    /// The channel has ended. Only the first reason counts, and nothing is recorded after it.
    func end(_ ending: LinkRecorder.Ending)
}

/// Records a credit-based channel of a recorded link: the invented packets that open it, its data and its end.
final class ChannelRecorder: PacketRecorder {
    private let link: LinkRecorder
    private let pair: ChannelPair
    private let isOver = Mutex(false)

    init(on link: LinkRecorder, _ pair: ChannelPair, psm: UInt16, maximumPacket: Int) {
        (self.link, self.pair) = (link, pair)
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
