import Bluetooth
import Identity
import KKM
import UpdateModel

extension KBeaconSettings: MakerSettings {
    static var maker: String { "kkm" }
    static var family: Family { .kkm }

    var generationNumber: Int? { generation.rawValue }

    static func generationNumber(of peer: KBeaconQuery.Peer) -> Int? {
        peer.identity.generation.rawValue
    }

    static func facts(of peer: KBeaconQuery.Peer) -> [String] {
        let identity = peer.identity
        return [
            identity.model, identity.version.map { "firmware \($0)" },
            identity.hardware.map { "hardware \($0)" },
        ].compactMap(\.self)
    }

    static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> KBeaconSession {
        try secrets.kBeacon(at: address, beacon)
    }
}
