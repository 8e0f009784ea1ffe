public import BluetoothTypes
public import Sessions

/// How KKM's beacons are spoken to (kbeacon.md).
public struct KBeaconSession: SessionKind {
    /// The service that such sessions are held over.
    public static let service = KBeaconService.uuid
    /// What KKM's beacons leave the factory with.
    public static let factoryPassword = Secret(String(repeating: "0", count: 16))
    /// How long a password is, in bytes.
    public static let passwordLengths = 8...16

    private let password: Secret
    private let first: KBeaconGeneration
    private let clock: UInt32?
    private let question: @Sendable () -> UInt32

    /// Sessions with beacons that have `password`, which are asked in the words of `first` at first. `clock` is what their
    /// clocks are set to, in seconds since 1970; `question` gives a number that nobody can know before.
    public init(
        _ password: Secret = Self.factoryPassword, asking first: KBeaconGeneration = .second,
        settingClock clock: UInt32? = nil,
        question: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        (self.password, self.first, self.clock, self.question) = (password, first, clock, question)
    }

    static let leastInterval = Duration.milliseconds(10)
    /// Beacons of theirs want a moment between two writes.
    public var leastInterval: Duration { Self.leastInterval }
    /// Handshake, and who it is.
    public func opening(to address: DeviceAddress) -> KBeaconQuery {
        KBeaconQuery(
            after: KBeaconHandshake(with: address, password, asking: question(), settingClock: clock),
            asking: first)
    }
}
