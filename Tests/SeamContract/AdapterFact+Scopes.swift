import Bluetooth

/// Thrown by a body, to observe the outcome of its connection.
private struct LinkFault: Error {}

extension AdapterFact {
    static var scopes: [AdapterFact] {
        [
            AdapterFact("a peer advertises again after a connection") { adapter, peers in
                try await adapter.requireUsable(peers.first, peers)
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("a connection disconnects when its body throws") { adapter, peers in
                do {
                    try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                        _ = try await client.revision()
                        throw LinkFault()
                    }
                    throw BrokenFact("the error was swallowed")
                } catch is LinkFault {}
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("a connection disconnects at once when it is cancelled") { adapter, peers in
                let (connected, isConnected) = AsyncStream.makeStream(of: Void.self)
                let delay = try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await adapter.withConnection(to: peers.first, within: peers.timeout) { client in
                            _ = try await client.revision()
                            isConnected.finish()
                            try? await adapter.time.sleep(for: .seconds(60))
                            return Task.isCancelled
                        }
                    }
                    for await _ in connected {}
                    let cancelled = adapter.time.now
                    group.cancelAll()
                    let wasCancelled = try await group.next()
                    try require(wasCancelled == true, "it ended by itself")
                    return adapter.time.now - cancelled
                }
                try require(delay <= peers.promptness, "it ended \(delay) later")
                _ = try await adapter.report(of: peers.first, peers)
            },
            AdapterFact("a released channel ends its link") { adapter, peers in
                _ = try await adapter.attributes(of: peers.first, peers)
                _ = try await adapter.report(of: peers.first, peers)
            },
        ]
    }
}
