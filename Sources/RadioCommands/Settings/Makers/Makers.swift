package import Bluetooth
package import Feasycom
package import Identity
package import KKM
package import Orange
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

extension Family {
    /// The kinds of settings that are known.
    package static let settings: [any MakerSettings.Type] = [
        KBeaconSettings.self, FBeaconSettings.self, OrangeTagSettings.self,
    ]
    /// The settings of this family's beacons; nil if none are known.
    package var settings: (any MakerSettings.Type)? { Self.settings.first { $0.family == self } }
}
