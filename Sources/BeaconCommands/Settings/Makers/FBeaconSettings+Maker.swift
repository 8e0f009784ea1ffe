import Bluetooth
import Feasycom
import Identity
import UpdateModel

extension FBeaconSettings: MakerSettings {
    static var maker: String { "feasycom" }
    static var family: Family { .feasycom }

    var generationNumber: Int? { nil }

    static func generationNumber(of peer: Void) -> Int? { nil }

    static func facts(of peer: Void) -> [String] { [] }

    static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> FBeaconSession {
        try secrets.fBeacon(beacon)
    }
}
