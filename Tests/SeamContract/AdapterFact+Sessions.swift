import Bluetooth

extension AdapterFact {
    static var sessions: [AdapterFact] {
        [
            AdapterFact("a peer can be discovered and read") { adapter, peers in
                try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                    try await client.exchangeMTU()
                    let mtu = await client.mtu
                    try require(mtu > 23, "the MTU is \(mtu)")
                    let services = try await client.discoverServices().map(\.uuid)
                    try require(services.contains(Peers.revision.service), "services: \(services)")
                    try require(services.contains(Peers.dfuService), "services: \(services)")
                    _ = try await client.speaker()
                    _ = try await client.revision()
                }
            },
            AdapterFact("a connection right after another has an MTU of 23 again") { adapter, peers in
                for _ in 0..<3 {
                    let channel = try await adapter.attributes(of: peers.first, peers)
                    defer { channel.close() }
                    let exchange = Exchange(channel: channel, time: adapter.time)
                    try await exchange.requireFresh()
                    _ = try await exchange.agreeOnMTU()
                    let length = try await exchange.listingLength()
                    try require(length > 23, "the agreed MTU changes nothing: \(length) bytes")
                }
            },
            AdapterFact("a connection right after another has notifications off again") { adapter, peers in
                for _ in 0..<3 {
                    try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                        let speaker = try await client.speaker()
                        let before = try await client.configuration(of: speaker)
                        try require(before == [0, 0], "the new link's configuration is \(before)")
                        _ = try await client.notifications(from: speaker.characteristic)
                        let after = try await client.configuration(of: speaker)
                        try require(after != [0, 0], "a subscription changes nothing")
                    }
                }
            },
            AdapterFact("a second open of a connected peer shares no session with the first") {
                adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                defer { channel.close() }
                let exchange = Exchange(channel: channel, time: adapter.time)
                _ = try await exchange.agreeOnMTU()
                let error = await adapter.failure(toOpen: peers.first, within: .seconds(2))
                try require(error != nil, "it was given a channel while the first stood")
                let length = try await exchange.listingLength()
                try require(length > 23, "the first link forgot its MTU: \(length) bytes")
            },
            AdapterFact("of two opens of one peer at once, one gets it") { adapter, peers in
                async let one = adapter.attempt(toOpen: peers.first, within: .seconds(3))
                async let other = adapter.attempt(toOpen: peers.first, within: .seconds(3))
                let channels = await [one, other].compactMap(\.self)
                defer { for channel in channels { channel.close() } }
                try require(channels.count == 1, "\(channels.count) were given a channel")
                for channel in channels {
                    try await Exchange(channel: channel, time: adapter.time).requireFresh()
                }
            },
            AdapterFact("an open that waits for the end of another link starts over, or is refused") {
                adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                defer { channel.close() }
                _ = try await Exchange(channel: channel, time: adapter.time).agreeOnMTU()
                async let waiting = adapter.attributes(of: peers.first, peers)
                try await adapter.time.sleep(for: .seconds(1))
                channel.close()
                let second: Subject.Channel
                do { second = try await waiting } catch is AdapterError { return }
                defer { second.close() }
                try await Exchange(channel: second, time: adapter.time).requireFresh()
            },
            AdapterFact("links to two peers can be open at once, and their requests do not mix") {
                adapter, peers in
                try await adapter.withConnection(to: peers.first, within: peers.timeout) { first in
                    try await adapter.withConnection(to: peers.second, within: peers.timeout) { second in
                        let revisions = (try await first.revision(), try await second.revision())
                        try require(revisions.0 != revisions.1, "both answer \(revisions.0)")
                        async let one: Void = first.requireRevision(revisions.0, times: 25)
                        async let other: Void = second.requireRevision(revisions.1, times: 25)
                        _ = try await (one, other)
                    }
                }
            },
            AdapterFact("the end of one of two links leaves the other alone") { adapter, peers in
                try await adapter.withConnection(to: peers.first, within: peers.timeout) { first in
                    let revision = try await first.revision()
                    try await adapter.requireUsable(peers.second, peers)
                    _ = try await adapter.report(of: peers.second, peers)
                    try await first.requireRevision(revision, times: 3)
                }
            },
        ]
    }
}

extension Adapter {
    /// A channel to `peer`; nil if there was none.
    fileprivate func attempt(toOpen peer: DeviceAddress, within limit: Duration) async -> Channel? {
        try? await open(.attributes, to: peer, asking: LinkRequest(), within: limit)
    }
}

extension ATTClient {
    fileprivate func requireRevision(_ revision: [UInt8], times: Int) async throws {
        for _ in 0..<times {
            let read = try await self.revision()
            try require(read == revision, "\(read) was read instead of \(revision)")
        }
    }
}
