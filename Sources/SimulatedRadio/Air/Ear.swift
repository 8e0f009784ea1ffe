import BluetoothTypes
import SimulatedDevice
import Timing

/// Who listens to an air: hears each peer when that sends, and knows when that is next.
struct Ear: Sendable {
    private struct Direction: Sendable {
        let peer: any SimulatedPeer
        var heard: Duration
        var due: Duration
    }

    private var directions: [Direction]

    /// Hears whatever is sent from `now` on.
    init(_ peers: [any SimulatedPeer], at now: Duration) {
        directions = peers.map { Direction(peer: $0, heard: now - .nanoseconds(1), due: now) }
    }

    /// When there is something to hear next.
    var next: Duration { directions.map(\.due).min() ?? .seconds(Int32.max) }

    /// What was sent since the last time by those who are due at `now`.
    mutating func listen(at now: Duration) async -> [Advertisement] {
        var reports: [Advertisement] = []
        for index in directions.indices where directions[index].due <= now {
            let peer = directions[index].peer
            reports += await peer.reports(after: directions[index].heard, through: now)
            directions[index].heard = now
            directions[index].due = await peer.nextReport(after: now)
        }
        return reports
    }
}
