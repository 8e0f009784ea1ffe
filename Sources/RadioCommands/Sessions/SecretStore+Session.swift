package import Bluetooth
import Feasycom
package import Firmware
package import Identity
import KKM
package import UpdateEngine
package import UpdateModel

extension SecretStore {
    /// Runs `body` in a session of this `kind` with the beacon whose application is at `address`. A wrong
    /// password is remembered.
    package func withSession<Kind: SessionKind, Value: Sendable>(
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

    /// The facts for a catalogue that a session with `beacon` provides; empty if it has no sessions, or needs
    /// a PIN that is not given.
    func factsReported(by beacon: BeaconSighting) -> Set<String> {
        switch beacon.identity.family {
        case .kkm: ["model", "name", "hardware", "version"]
        case .feasycom: hasPIN(beacon) ? ["version"] : []
        default: []
        }
    }

    /// Opens a session with `beacon` to read the ``factsReported(by:)``, and closes it.
    package func facts(
        of beacon: BeaconSighting, with adapter: some Adapter
    ) async throws -> DeviceReading.Session? {
        var facts = DeviceReading.Session()
        switch beacon.identity.family {
        case .kkm:
            let kind = { () throws(SessionFailure) in try self.kBeacon(beacon) }
            let identity = try await withSession(with: beacon.address, over: adapter, of: kind) { session in
                await session.opened?.identity
            }
            (facts.model, facts.hardware) = (identity?.model, identity?.hardware)
            (facts.version, facts.battery) = (identity?.version, identity?.battery.map(Int.init))
        case .feasycom:
            let kind = { () throws(SessionFailure) in try self.fBeacon(beacon) }
            facts.version = try await withSession(with: beacon.address, over: adapter, of: kind) { session in
                try await session.perform { (_: Void) throws(SessionFailure) in FBeaconExchange.version }
            }
        default: return nil
        }
        return facts
    }
}
