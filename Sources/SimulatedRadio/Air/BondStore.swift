import PacketSockets
import SimulatedDevice
import Synchronization

/// What a host remembers of its peers: the keys of bonds, and which link leads to whom.
final class BondStore: Sendable {
    private struct Peer {
        var key: Int?
        weak var channel: PacketSocket?
        let beacon: SimulatedBeacon
    }

    private let peers = Mutex<[ObjectIdentifier: Peer]>([:])

    /// The key of the bond with `beacon`; nil without a bond.
    subscript(beacon: SimulatedBeacon) -> Int? {
        get { peers.withLock { $0[ObjectIdentifier(beacon)]?.key } }
        set { peers.withLock { $0[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].key = newValue } }
    }

    /// `channel` is the link to `beacon` from now on.
    func note(_ channel: PacketSocket, to beacon: SimulatedBeacon) {
        peers.withLock { $0[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].channel = channel }
    }

    /// Whoever is at the other end of `channel`.
    func beacon(at channel: PacketSocket) -> SimulatedBeacon? {
        peers.withLock { $0.values.first { $0.channel === channel }?.beacon }
    }
}
