import Bluetooth
import Synchronization

/// The longest packet that the peer of each open channel accepts.
final class ChannelTerms: Sendable {
    private struct Entry {
        weak var channel: PacketSocket?
        let maximumPacket: Int
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The longest packet of `channel`; nil if `channel` carries attributes.
    subscript(channel: PacketSocket) -> Int? {
        entries.withLock { $0[ObjectIdentifier(channel)] }
            .flatMap { $0.channel === channel ? $0.maximumPacket : nil }
    }

    /// Records that `channel` accepts packets of up to `maximumPacket` bytes.
    func note(_ channel: PacketSocket, maximumPacket: Int) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.channel != nil }
            entries[ObjectIdentifier(channel)] = Entry(channel: channel, maximumPacket: maximumPacket)
        }
    }
}
