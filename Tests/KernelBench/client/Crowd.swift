import Bluetooth

extension Adapter {
    /// Opens links to all `peers` at once, exchanges the MTU and discovers services and characteristics over
    /// each, and keeps them until all are done. Reports when each link was open, and when it was ready.
    func connect(toAll peers: [DeviceAddress]) async throws {
        let begun = time.now
        let done = Watched(0)
        let seconds = { @Sendable [time] in (time.now - begun) / .seconds(1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for peer in peers {
                group.addTask { [self] in
                    try await withLink(to: peer, within: .seconds(120)) { client, _ in
                        say(#"{"event":"linked","at":\#(seconds()),"address":"\#(peer)"}"#)
                        try await client.exchangeMTU()
                        for service in try await client.discoverServices() {
                            _ = try await client.discoverCharacteristics(in: service)
                        }
                        say(#"{"event":"ready","at":\#(seconds()),"address":"\#(peer)"}"#)
                        done.change { $0 += 1 }
                        _ = try await done.value { $0 == peers.count }
                    }
                }
            }
            for try await _ in group {}
        }
        say(#"{"event":"done","at":\#(seconds()),"links":\#(peers.count)}"#)
    }
}
