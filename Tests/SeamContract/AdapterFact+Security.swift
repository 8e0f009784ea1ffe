import Bluetooth

extension AdapterFact {
    /// Last, since it may leave a bond.
    static var security: [AdapterFact] {
        [
            AdapterFact("encrypting ends within its limit, done or with a reason") { adapter, peers in
                let limit = Duration.seconds(10)
                let channel = try await adapter.attributes(of: peers.first, peers)
                let begun = adapter.time.now
                do throws(AdapterError) {
                    try await adapter.encrypt(channel, within: limit)
                } catch {
                    guard case .notEncrypted(_, let reason) = error, !reason.isEmpty else {
                        channel.close()
                        throw BrokenFact("it ended with \(error)")
                    }
                }
                let took = adapter.time.now - begun
                channel.close()
                try require(took <= limit + peers.promptness, "it took \(took)")
                try await adapter.requireUsable(peers.first, peers)
            }
        ]
    }
}
