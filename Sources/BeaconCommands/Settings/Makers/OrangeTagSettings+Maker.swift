import Bluetooth
import Identity
import Orange
import UpdateModel

extension OrangeTagSettings: MakerSettings {
    static var maker: String { "orange" }
    static var family: Family { .orangeTag }

    var generationNumber: Int? { nil }

    static func generationNumber(of peer: OrangeTagFacts) -> Int? { nil }

    static func facts(of peer: OrangeTagFacts) -> [String] {
        ["Orange Beacon Tag"] + (peer.firmware.map { ["firmware \($0)"] } ?? [])
    }

    static var buttonTimeout: Duration? { .seconds(60) }

    static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> OrangeTagSession {
        OrangeTagSession()
    }
}
