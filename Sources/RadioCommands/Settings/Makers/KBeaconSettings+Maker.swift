package import Bluetooth
package import Identity
package import KKM
package import UpdateModel

extension KBeaconSettings: MakerSettings {
    package static var maker: String { "kkm" }
    package static var family: Family { .kkm }

    package var generationNumber: Int? { generation.rawValue }

    package static func generationNumber(of peer: KBeaconQuery.Peer) -> Int? {
        peer.identity.generation.rawValue
    }

    package static func facts(of peer: KBeaconQuery.Peer) -> [String] {
        let identity = peer.identity
        return [
            identity.model, identity.version.map { "firmware \($0)" },
            identity.hardware.map { "hardware \($0)" },
        ].compactMap(\.self)
    }

    package static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> KBeaconSession {
        try secrets.kBeacon(at: address, beacon)
    }
}
