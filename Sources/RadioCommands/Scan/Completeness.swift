import Bluetooth
import Identity

/// Decides when every beacon in range has advertised what its kind advertises.
struct Completeness: Sendable {
    /// The required time without a new beacon: one second more than most beacons' advertising interval.
    static let quiet = Duration.seconds(2)
    /// The shortest listening time, so that slow advertisers are heard at all.
    static let least = Duration.seconds(3)

    private let begin: Duration
    private var known: Set<DeviceAddress> = []
    private var incomplete: Set<DeviceAddress> = []
    /// Until when to wait for the missing parts of each beacon; a beacon that is heard after that is no longer waited
    /// for.
    private var timeout: [DeviceAddress: Duration] = [:]
    private var lastNew: Duration

    init(since begin: Duration) {
        self.begin = begin
        lastNew = begin
    }

    /// Adds `sighting` as of `moment`; returns whether nothing is missing.
    mutating func isReached(by sighting: BeaconSighting, at moment: Duration) -> Bool {
        let address = sighting.address
        if sighting.identity.isComplete { incomplete.remove(address) } else { incomplete.insert(address) }
        timeout[address] = sighting.timeoutEnd
        if known.insert(address).inserted { lastNew = moment }
        return incomplete.isEmpty && moment - begin >= Self.least && moment - lastNew >= Self.quiet
            && timeout.values.allSatisfy { $0 + Self.quiet <= moment }
    }
}
