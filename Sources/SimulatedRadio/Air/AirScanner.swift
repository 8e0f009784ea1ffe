import BluetoothTypes
import SimulatedDevice
import Timing

/// Who listens to an air: hears each peer when that sends, and knows when that is next.
struct AirScanner: Sendable {
    private struct Direction: Sendable {
        let peer: any SimulatedPeer
        /// How much louder than they are its reports are heard, in dB.
        let gain: Int
        var heard: Duration
        var due: Duration
    }

    private var directions: [Direction]

    /// Hears whatever is sent from `now` on, as loud as `controller` does.
    init(_ peers: [any SimulatedPeer], of controller: SimulatedController, at now: Duration) {
        directions = peers.enumerated().map { number, peer in
            Direction(
                peer: peer, gain: controller.gain(of: number), heard: now - .nanoseconds(1), due: now)
        }
    }

    /// When there is something to hear next.
    var next: Duration { directions.map(\.due).min() ?? .seconds(Int32.max) }

    /// What was sent since the last time by those who are due at `now`.
    mutating func listen(at now: Duration) async -> [Advertisement] {
        var reports: [Advertisement] = []
        for index in directions.indices where directions[index].due <= now {
            let peer = directions[index].peer
            let gain = directions[index].gain
            reports += await peer.reports(after: directions[index].heard, through: now).map {
                $0.heard(louderBy: gain)
            }
            directions[index].heard = now
            directions[index].due = await peer.nextReport(after: now)
        }
        return reports
    }
}

extension Advertisement {
    fileprivate func heard(louderBy gain: Int) -> Advertisement {
        var report = self
        report.rssi = rssi.map { Int8(clamping: Int($0) + gain) }
        return report
    }
}
