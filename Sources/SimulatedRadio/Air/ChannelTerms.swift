import PacketSockets
import Synchronization

/// What the peers of open channels take in one packet.
final class ChannelTerms: Sendable {
    private struct Entry {
        weak var channel: PacketSocket?
        let maximumPacket: Int
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The longest packet of `channel`; nil for attributes.
    subscript(channel: PacketSocket) -> Int? {
        entries.withLock { $0[ObjectIdentifier(channel)] }
            .flatMap { $0.channel === channel ? $0.maximumPacket : nil }
    }

    /// `channel` takes packets of up to `maximumPacket` bytes.
    func note(_ channel: PacketSocket, maximumPacket: Int) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.channel != nil }
            entries[ObjectIdentifier(channel)] = Entry(channel: channel, maximumPacket: maximumPacket)
        }
    }
}
