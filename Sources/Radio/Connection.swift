public import BluetoothTypes
public import GATT
import Timing

extension Adapter {
    /// Connects, runs `body` with a client of the peer's attributes, and hangs up however `body` ends.
    public func withConnection<Value: Sendable>(
        to peer: DeviceAddress, asking wish: LinkWish = LinkWish(), within limit: Duration,
        _ body: (ATTClient) async throws -> Value
    ) async throws -> Value {
        let channel = try await open(.attributes, to: peer, asking: wish, within: limit)
        let client = ATTClient(bearer: channel, time: time)
        async let _ = client.run()  // ends when the channel does
        defer { channel.close() }
        return try await body(client)
    }

    /// The first of `addresses` that is heard within `limit`; nil when none is.
    public func firstHeard(
        of addresses: Set<DeviceAddress>, within limit: Duration
    ) async throws -> Advertisement? {
        try await time.within(limit) {
            for await report in try await advertisements() where addresses.contains(report.address) {
                return report
            }
            throw Task.isCancelled ? AdapterError.cancelled : .unavailable("the adapter is gone")
        }
    }
}
