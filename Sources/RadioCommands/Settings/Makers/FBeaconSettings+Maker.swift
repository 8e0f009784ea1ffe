package import Bluetooth
package import Feasycom
package import Identity
package import UpdateModel

extension FBeaconSettings: MakerSettings {
    package static var maker: String { "feasycom" }
    package static var family: Family { .feasycom }

    package var generationNumber: Int? { nil }

    package static func generationNumber(of peer: Void) -> Int? { nil }

    package static func facts(of peer: Void) -> [String] { [] }

    package static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> FBeaconSession {
        try secrets.fBeacon(beacon)
    }
}
