import BluetoothTypes
import GATT
import Radio

extension Adapter {
    /// Connects and hangs up as `withLink` does, but never encrypts: encrypting a link to a device without a
    /// bond pairs with it, and looking at a device must not change it.
    func withPlainLink<Value: Sendable>(
        to peer: DeviceAddress, within limit: Duration,
        _ body: (ATTClient, @escaping @Sendable () async -> LinkParameters) async throws -> Value
    ) async throws -> Value {
        let channel = try await open(.attributes, to: peer, asking: LinkWish(), within: limit)
        let client = ATTClient(bearer: channel, time: time)
        async let _ = client.run()
        defer { channel.close() }
        return try await body(client) { [self] in await parameters(of: channel) }
    }
}
