package import Bluetooth
package import UpdateModel

package struct KBeaconSession: SessionKind {
    package static let factoryPassword = Secret(String(repeating: "0", count: 16))
    /// The allowed lengths of a password, in bytes.
    package static let passwordLengths = 8...16

    private let password: Secret
    private let first: KBeaconGeneration
    private let clock: UInt32?
    private let challenge: @Sendable () -> UInt32

    /// Sessions with beacons that have `password`, queried in the form of the generation `first` first. `clock` is the
    /// time to set, in seconds since 1970, nil for none; `challenge` returns an unpredictable number.
    package init(
        _ password: Secret = Self.factoryPassword, asking first: KBeaconGeneration = .second,
        settingClock clock: UInt32? = nil,
        challenge: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        (self.password, self.first, self.clock, self.challenge) = (password, first, clock, challenge)
    }

    /// These beacons need a pause between two writes.
    package let leastInterval = Duration.milliseconds(10)
    package func opening(to address: DeviceAddress) -> KBeaconQuery {
        KBeaconQuery(
            after: KBeaconHandshake(with: address, password, challenge: challenge(), settingClock: clock),
            asking: first)
    }
}

/// The attributes of a KBeacon's session (kbeacon.md, Attributes).
enum KBeaconService {
    static let uuid = BluetoothUUID(0xFEA0)
    /// To the beacon, written with or without response.
    static let requests = Characteristic(uuid, BluetoothUUID(0xFEA1))
    /// From the beacon, by notifications.
    static let answers = Characteristic(uuid, BluetoothUUID(0xFEA2))
    /// Trigger events, by indications.
    static let events = Characteristic(uuid, BluetoothUUID(0xFEA3))
}
