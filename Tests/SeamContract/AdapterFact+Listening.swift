import Bluetooth

extension AdapterFact {
    static var listening: [AdapterFact] {
        [
            AdapterFact("an advertisement has address, type, RSSI and data") { adapter, peers in
                for peer in [peers.first, peers.second] {
                    // A scan response that the kernel reports separately does not include it.
                    let report = try await adapter.take(
                        1, of: peer, from: adapter.advertisements(), peers
                    ) { $0.isConnectable != nil }
                    try require(report.isConnectable == true, "\(peer) is not called connectable")
                    guard let rssi = report.rssi else { throw BrokenFact("\(peer) has no RSSI") }
                    // Vol 4, Part E, 7.7.65.2.
                    try require((-127...20).contains(rssi), "\(peer) is heard with \(rssi) dBm")
                    try require(!report.data.elements.isEmpty, "\(peer) says nothing")
                }
            },
            AdapterFact("a listener hears a peer repeatedly") { adapter, peers in
                try await adapter.take(3, of: peers.first, from: adapter.advertisements(), peers)
            },
            AdapterFact("a listener that stops leaves the adapter usable, repeatedly") {
                adapter, peers in
                for _ in 0..<5 { _ = try await adapter.report(of: peers.first, peers) }
                try await adapter.requireUsable(peers.first, peers)
            },
            AdapterFact("a listener that is cancelled ends at once") { adapter, peers in
                let end = try await adapter.time.cancelling(after: .milliseconds(1500)) {
                    for await _ in try await adapter.advertisements() {}
                }
                try require(end.delay <= peers.promptness, "it ended \(end.delay) later")
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("two listeners at once both hear") { adapter, peers in
                async let first = adapter.report(of: peers.first, peers)
                async let second = adapter.report(of: peers.first, peers)
                async let third = adapter.report(of: peers.second, peers)
                _ = try await (first, second, third)
            },
            AdapterFact("a listener continues when another one stops") { adapter, peers in
                var early: AsyncStream? = try await adapter.advertisements()
                let late = try await adapter.advertisements()
                if let early { try await adapter.take(1, of: peers.first, from: early, peers) }
                early = nil
                try await adapter.take(2, of: peers.first, from: late, peers)
            },
            AdapterFact("a peer is heard while a link to another one is open") { adapter, peers in
                try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                    _ = try await adapter.report(of: peers.second, peers)
                    _ = try await client.revision()
                }
            },
        ]
    }
}

extension Adapter {
    /// Takes `count` reports of `peer` that satisfy `counts` from `stream`; returns the last of them.
    @discardableResult fileprivate func take(
        _ count: Int, of peer: DeviceAddress, from stream: AsyncStream<Advertisement>, _ peers: Peers,
        where counts: @escaping @Sendable (Advertisement) -> Bool = { _ in true }
    ) async throws -> Advertisement {
        let last = try await time.within(peers.timeout) {
            var missing = count
            for await report in stream where report.address == peer && counts(report) {
                missing -= 1
                if missing == 0 { return report }
            }
            throw BrokenFact("the listening ended by itself")
        }
        guard let last else {
            throw BrokenFact("\(peer) was not heard \(count) times within \(peers.timeout)")
        }
        return last
    }
}
