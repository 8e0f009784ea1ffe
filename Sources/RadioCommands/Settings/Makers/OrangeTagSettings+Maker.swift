package import Bluetooth
package import Identity
package import Orange
package import UpdateModel

extension OrangeTagSettings: MakerSettings {
    package static var maker: String { "orange" }
    package static var family: Family { .orangeTag }

    package var generationNumber: Int? { nil }

    package static func generationNumber(of peer: OrangeTagFacts) -> Int? { nil }

    package static func facts(of peer: OrangeTagFacts) -> [String] {
        ["Orange Beacon Tag"] + (peer.firmware.map { ["firmware \($0)"] } ?? [])
    }

    package static var buttonTimeout: Duration? { .seconds(60) }

    package static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> OrangeTagSession {
        OrangeTagSession()
    }
}
