public import Bluetooth
public import UpdateModel

extension Adapter {
    /// Connects to the beacon at `address`, opens a session of `kind`, runs `body` with it, and disconnects
    /// however `body` ends.
    ///
    /// Throws `SessionFailure`, and the errors of the adapter and the link (`AdapterError`, `GATTError`).
    public func withSession<Kind: SessionKind, Value: Sendable>(
        _ kind: Kind, with address: DeviceAddress, asking linkRequest: LinkRequest = LinkRequest(),
        within limit: Duration, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        _ body: (BeaconSession<Kind>) async throws -> Value
    ) async throws -> Value {
        let session = BeaconSession(kind, with: address)
        var hasOpened = false
        do {
            let value = try await withConnection(to: address, asking: linkRequest, within: limit) { client in
                try await client.exchangeMTU()
                try await session.open(over: client, time: time)
                hasOpened = true
                tell(.opened(address))
                let value = try await body(session)
                await session.close()
                return value
            }
            await session.noteEnd()
            tell(.closed(address, nil))
            return value
        } catch {
            await session.noteEnd()
            if hasOpened { tell(.closed(address, error as? SessionFailure)) }
            throw error
        }
    }
}
