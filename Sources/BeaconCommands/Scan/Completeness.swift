import BeaconIdentity
import BluetoothTypes
import Radio

/// Whether everything that is heard has said what its kind says.
struct Completeness: Sendable {
    /// As long as that nothing new may have been heard: one more than the pause between advertisements of most beacons.
    static let quiet = Duration.seconds(2)
    /// As long at least; rare advertisers have to be heard at all.
    static let least = Duration.seconds(3)

    private let begin: Duration
    private var known: Set<DeviceAddress> = []
    private var incomplete: Set<DeviceAddress> = []
    /// Until when what those may say is waited for that have not said it; one that is heard after that leaves.
    private var timeout: [DeviceAddress: Duration] = [:]
    private var lastNew: Duration

    init(since begin: Duration) {
        self.begin = begin
        lastNew = begin
    }

    /// Notes `sighting` as it is at `moment`; whether nothing is missing.
    mutating func isReached(by sighting: BeaconSighting, at moment: Duration) -> Bool {
        let address = sighting.address
        if sighting.identity.isComplete { incomplete.remove(address) } else { incomplete.insert(address) }
        timeout[address] = sighting.timeoutEnd
        if known.insert(address).inserted { lastNew = moment }
        return incomplete.isEmpty && moment - begin >= Self.least && moment - lastNew >= Self.quiet
            && timeout.values.allSatisfy { $0 + Self.quiet <= moment }
    }
}
