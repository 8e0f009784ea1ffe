import Bluetooth
import Synchronization

/// What a host stores about its peers: bond keys, and the peer of each link.
final class BondStore: Sendable {
    private struct Peer {
        var key: Int?
        weak var channel: PacketSocket?
        var air: LinkAir?
        let beacon: any SimulatedPeer
    }

    private let peers = Mutex<[ObjectIdentifier: Peer]>([:])

    /// The key of the bond with `beacon`; nil without a bond.
    subscript(beacon: any SimulatedPeer) -> Int? {
        get { peers.withLock { $0[ObjectIdentifier(beacon)]?.key } }
        set { peers.withLock { $0[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].key = newValue } }
    }

    /// Records that `channel` is the link to `beacon`, over `air` if the link is modelled.
    func note(_ channel: PacketSocket, over air: LinkAir?, to beacon: any SimulatedPeer) {
        peers.withLock { peers in
            peers[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].channel = channel
            peers[ObjectIdentifier(beacon)]?.air = air
        }
    }

    /// The peer at the other end of `channel`.
    func beacon(at channel: PacketSocket) -> (any SimulatedPeer)? {
        peers.withLock { $0.values.first { $0.channel === channel }?.beacon }
    }

    /// The air of every link, open or most recently open.
    var airs: [LinkAir] { peers.withLock { $0.values.compactMap(\.air) } }

    /// The air of the link to `beacon`.
    func air(to beacon: any SimulatedPeer) -> LinkAir? {
        peers.withLock { $0[ObjectIdentifier(beacon)]?.air }
    }
}
