import Bluetooth

extension AdapterFact {
    static var opening: [AdapterFact] {
        [
            AdapterFact("opening an absent peer ends within its limit, without an answer") { adapter, peers in
                let limit = Duration.milliseconds(1250)
                let begun = adapter.time.now
                let error = await adapter.failure(toOpen: peers.absent, within: limit)
                let took = adapter.time.now - begun
                try require(error == .noAnswer(peers.absent), "it ended with \(String(describing: error))")
                try require(took <= limit + peers.promptness, "it took \(took)")
                try await adapter.requireUsable(peers.first, peers)
            },
            AdapterFact("an open that is cancelled ends at once, and leaves the adapter usable") {
                adapter, peers in
                let end = try await adapter.time.cancelling(after: .milliseconds(730)) {
                    await adapter.failure(toOpen: peers.absent, within: .seconds(30))
                }
                let error = try end.result.get()
                try require(error == .cancelled, "it ended with \(String(describing: error))")
                try require(end.delay <= peers.promptness, "it ended \(end.delay) later")
                try await adapter.requireUsable(peers.first, peers)
            },
            AdapterFact("an open in a cancelled task makes no connection") { adapter, peers in
                let end = try await adapter.time.cancelling(after: .zero) {
                    try? await adapter.time.sleep(for: .seconds(30))
                    return await adapter.failure(toOpen: peers.first, within: .seconds(5))
                }
                let error = try end.result.get()
                try require(error == .cancelled, "it ended with \(String(describing: error))")
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("an open that is cancelled while its link is being made leaves the peer free") {
                adapter, peers in
                for delay in [1, 10, 40] {
                    _ = try await adapter.time.within(.milliseconds(delay)) {
                        await adapter.failure(toOpen: peers.first, within: .seconds(5))
                    }
                    let channel = try await adapter.attributes(of: peers.first, peers)
                    defer { channel.close() }
                    try await Exchange(channel: channel, time: adapter.time).requireFresh()
                }
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("a peer can be connected to while a scan is running") { adapter, peers in
                let stream = try await adapter.advertisements()
                try await adapter.requireUsable(peers.first, peers)
                try await adapter.requireUsable(peers.second, peers)
                withExtendedLifetime(stream) {}
            },
            AdapterFact("a channel that a peer does not have is refused, and its link stays open") {
                adapter, peers in
                try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                    let error = await adapter.failure(
                        toOpen: peers.first, .creditBased(psm: 0xF1), within: .seconds(5))
                    guard case .unavailable = error else {
                        throw BrokenFact("it ended with \(String(describing: error))")
                    }
                    _ = try await client.revision()
                }
            },
            AdapterFact("an absent peer does not delay a present one for long") { adapter, peers in
                async let absent = adapter.failure(toOpen: peers.absent, within: .seconds(5))
                try await adapter.time.sleep(for: .milliseconds(100))
                let begun = adapter.time.now
                try await adapter.requireUsable(peers.first, peers)
                let took = adapter.time.now - begun
                _ = await absent
                try require(took <= .seconds(2) + peers.promptness * 2, "it took \(took)")
            },
            AdapterFact("simultaneous opens of an absent and a present peer each end as they should") {
                adapter, peers in
                async let absent = adapter.failure(toOpen: peers.absent, within: .seconds(2))
                async let present: Void = adapter.requireUsable(peers.first, peers)
                let error = await absent
                try await present
                try require(error == .noAnswer(peers.absent), "it ended with \(String(describing: error))")
            },
        ]
    }
}

extension Adapter {
    /// Why `peer` could not be opened; nil on success, after closing it again.
    func failure(
        toOpen peer: DeviceAddress, _ channel: LinkChannel = .attributes, within limit: Duration
    ) async -> AdapterError? {
        do throws(AdapterError) {
            try await open(channel, to: peer, asking: LinkRequest(), within: limit).close()
            return nil
        } catch {
            return error
        }
    }
}
