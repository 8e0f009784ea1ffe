import Bluetooth
import Identity
import KKM
import UpdateEngine
import UpdateModel

/// KBeacons with the factory password light up.
extension BenchPlanner {
    func canShow(_ beacon: BeaconSighting) -> Bool { beacon.identity.family == .kkm }

    func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        let kind = KBeaconSession(asking: .second)
        try await adapter.withSession(kind, with: beacon.address, within: .seconds(15)) { session in
            begin()
            try await session.perform { (peer) throws(SessionFailure) in
                try KBeaconRing(by: .light, for: length, of: peer)
            }
        }
    }
}
