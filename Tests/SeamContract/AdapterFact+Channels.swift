import Bluetooth

extension AdapterFact {
    static var channels: [AdapterFact] {
        [
            AdapterFact("whole packets pass to a peer, up to the MTU") { adapter, peers in
                let type = peers.longValue.uuid
                let value = try await adapter.longValue(of: peers.first, peers)
                let channel = try await adapter.attributes(of: peers.first, peers)
                defer { channel.close() }
                let exchange = Exchange(channel: channel, time: adapter.time)
                for length in [1, 15, 16] {
                    let request = Array(value.prefix(length))
                    try await exchange.requireSearch(for: request, in: type, finds: false)
                }
                let most = try await exchange.agreeOnMTU() - 7
                try await exchange.requireSearch(for: value, in: type, finds: true)
                try await exchange.requireSearch(for: value.dropLast() + [0], in: type, finds: false)
                for length in [1, 16, 17, 20, 21, most - 1, most] {
                    let request = [UInt8](repeating: 0x5A, count: length)
                    try await exchange.requireSearch(for: request, in: type, finds: false)
                }
            },
            AdapterFact("whole packets come from a peer") { adapter, peers in
                let pieces = try await adapter.longValue(of: peers.first, peers)
                try require(pieces.count > 100, "the long value has \(pieces.count) bytes")
                let whole = try await adapter.withConnection(to: peers.first, within: peers.timeout) {
                    client in
                    try await client.exchangeMTU()
                    return try await client.read(peers.longValue)
                }
                try require(whole == pieces, "\(pieces.count) bytes are \(whole.count) in one packet")
            },
            AdapterFact("closing ends a receive that waits, at once") { adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                async let waiting = channel.ending()
                try await adapter.time.sleep(for: .milliseconds(300))
                let closed = adapter.time.now
                channel.close()
                let ending = await waiting
                try require(ending.isEnd, "it ended with \(ending)")
                let delay = adapter.time.now - closed
                try require(delay <= peers.promptness, "it ended \(delay) later")
            },
            AdapterFact("a closed channel neither receives nor sends") { adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                _ = try await Exchange(channel: channel, time: adapter.time).listingLength()
                channel.close()
                channel.close()
                for _ in 0..<2 {
                    let ending = await channel.ending()
                    try require(ending.isEnd, "receiving ended with \(ending)")
                    var refusal: BearerError?
                    do throws(BearerError) { try await channel.send([0x0A, 0x01, 0x00]) } catch {
                        refusal = error
                    }
                    try require(refusal == .closed, "sending ended with \(String(describing: refusal))")
                }
            },
            AdapterFact("a receive that is cancelled ends at once, and its link stays open") {
                adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                defer { channel.close() }
                let end = try await adapter.time.cancelling(after: .milliseconds(300)) {
                    await channel.ending()
                }
                let ending = try end.result.get()
                try require(ending == .failed(.cancelled), "it ended with \(ending)")
                try require(end.delay <= peers.promptness, "it ended \(end.delay) later")
                _ = try await Exchange(channel: channel, time: adapter.time).listingLength()
            },
            AdapterFact("the properties of a link are reported, plausibly, and also after its end") {
                adapter, peers in
                let channel = try await adapter.attributes(of: peers.first, peers)
                for _ in 0..<2 {
                    let begun = adapter.time.now
                    // Vol 4, Part E, 7.8.12.
                    if let interval = await adapter.parameters(of: channel).interval {
                        try require(
                            (.microseconds(7500)...Duration.seconds(4)).contains(interval),
                            "the interval is \(interval)")
                    }
                    let took = adapter.time.now - begun
                    try require(took <= .seconds(5), "it took \(took)")
                    channel.close()
                }
            },
        ]
    }
}

extension Adapter {
    /// The long value of `peer`, read in pieces of 22 bytes.
    fileprivate func longValue(of peer: DeviceAddress, _ peers: Peers) async throws -> [UInt8] {
        try await withConnection(to: peer, within: peers.timeout) { try await $0.read(peers.longValue) }
    }
}

/// The result of a receive.
private enum Ending: Equatable, Sendable {
    case packet([UInt8])
    case end
    case failed(BearerError)

    var isEnd: Bool { self == .end || self == .failed(.closed) }
}

extension Bearer {
    fileprivate func ending() async -> Ending {
        do throws(BearerError) {
            guard let packet = try await receive() else { return .end }
            return .packet(packet)
        } catch {
            return .failed(error)
        }
    }
}
