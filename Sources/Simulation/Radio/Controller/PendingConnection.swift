import Bluetooth

/// Waits for the moments at which a peer at an address sends a connectable advert.
struct PendingConnection: Sendable {
    /// How often to look for a peer that is absent.
    private static let step = Duration.milliseconds(100)

    private let address: DeviceAddress
    private let peers: [any SimulatedPeer]
    private let time: Timekeeper
    private var peer: (any SimulatedPeer)?
    private var heard: Duration
    /// When the next advert may be due.
    private var due: Duration

    init(for address: DeviceAddress, among peers: [any SimulatedPeer], by time: Timekeeper) {
        self.address = address
        self.peers = peers
        self.time = time
        heard = time.now
        due = time.now
    }

    /// The peer at the address; nil if there is none.
    mutating func find() async -> (any SimulatedPeer)? {
        if let peer, await peer.address == address { return peer }
        peer = nil
        for candidate in peers where await candidate.address == address {
            peer = candidate
            return candidate
        }
        return nil
    }

    /// The next peer to send a connectable advert before `limit`; nil if there is none, or once `isOver`.
    mutating func next(
        until limit: Duration, unless isOver: () -> Bool
    ) async throws(CancellationError) -> (any SimulatedPeer)? {
        while !isOver() {
            try await time.sleep(until: min(due, limit))
            let now = time.now
            guard now >= due else { return nil }
            let peer = await find()
            let reports = await peer?.reports(after: heard, through: now) ?? []
            heard = now
            due = await peer?.nextReport(after: now) ?? now + Self.step
            if reports.contains(where: { $0.address == address && $0.isConnectable == true }) { return peer }
        }
        return nil
    }
}
