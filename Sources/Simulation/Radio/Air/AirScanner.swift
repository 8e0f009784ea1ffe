import Bluetooth

/// A listener in an air: receives what each peer sends, and knows when the next advert is due.
struct AirScanner: Sendable {
    private struct Direction: Sendable {
        let peer: any SimulatedPeer
        /// How much stronger it receives reports than they were sent, in dB.
        let gain: Int
        var heard: Duration
        var due: Duration
    }

    private var directions: [Direction]

    /// A listener that receives everything sent from `now` on, with the gain of `controller`.
    init(_ peers: [any SimulatedPeer], of controller: SimulatedController, at now: Duration) {
        directions = peers.enumerated().map { number, peer in
            Direction(
                peer: peer, gain: controller.gain(of: number), heard: now - .nanoseconds(1), due: now)
        }
    }

    /// When the next advert is due.
    var next: Duration { directions.map(\.due).min() ?? .seconds(Int32.max) }

    /// What the peers that are due at `now` have sent since the last call.
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
