public import Bluetooth
public import UpdateModel

/// Sessions with KKM's beacons (kbeacon.md).
public struct KBeaconSession: SessionKind {
    /// The service of these sessions.
    public static let service = KBeaconService.uuid
    /// The factory password of KKM's beacons.
    public static let factoryPassword = Secret(String(repeating: "0", count: 16))
    /// The allowed lengths of a password, in bytes.
    public static let passwordLengths = 8...16

    private let password: Secret
    private let first: KBeaconGeneration
    private let clock: UInt32?
    private let question: @Sendable () -> UInt32

    /// Sessions with beacons that have `password`, queried in the form of the generation `first` first. `clock`
    /// is the time to set, in seconds since 1970; `question` returns an unpredictable number.
    public init(
        _ password: Secret = Self.factoryPassword, asking first: KBeaconGeneration = .second,
        settingClock clock: UInt32? = nil,
        question: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        (self.password, self.first, self.clock, self.question) = (password, first, clock, question)
    }

    static let leastInterval = Duration.milliseconds(10)
    /// These beacons need a pause between two writes.
    public var leastInterval: Duration { Self.leastInterval }
    /// Handshake and identity query.
    public func opening(to address: DeviceAddress) -> KBeaconQuery {
        KBeaconQuery(
            after: KBeaconHandshake(with: address, password, asking: question(), settingClock: clock),
            asking: first)
    }
}
