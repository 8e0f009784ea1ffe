import BeaconSessions
import BluetoothTypes
import Radio
import Sessions

extension SecretKeeper {
    /// Runs `body` in a session with the beacon whose application is at `address`, which is spoken to as `kind` says. That its
    /// password was wrong is remembered.
    func withSession<Kind: SessionKind, Value: Sendable>(
        with address: DeviceAddress, over adapter: some Adapter,
        telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        of kind: () throws(SessionFailure) -> Kind,
        _ body: (BeaconSession<Kind>) async throws -> Value
    ) async throws -> Value {
        do {
            return try await adapter.withSession(
                try kind(), with: address, within: SessionOptions.connectLimit, telling: tell, body)
        } catch let failure as SessionFailure {
            note(failure, of: address)
            throw failure
        }
    }
}
