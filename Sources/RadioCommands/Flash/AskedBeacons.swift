import Bluetooth
import Identity
import Synchronization

/// The beacons that were sent an identity query over a connection while another one is waited for.
final class AskedBeacons: Sendable {
    /// A beacon that was not heard for this long may have been away, and is asked again.
    static let absence = Duration.seconds(30)
    /// A beacon that has not answered is asked again after this long.
    static let pause = Duration.seconds(10)

    private struct Asking {
        let moment: Duration
        let hasAnswered: Bool
        var lastHeard: Duration
    }

    private let askings = Mutex<[DeviceAddress: Asking]>([:])

    /// Records that the query of `address` ended at `moment`.
    func note(_ address: DeviceAddress, at moment: Duration, hasAnswered: Bool) {
        askings.withLock {
            $0[address] = Asking(moment: moment, hasAnswered: hasAnswered, lastHeard: moment)
        }
    }

    /// Whether to ask `beacon`, which was just heard: it was not asked yet, has not answered, or was away
    /// since.
    func isNew(_ beacon: BeaconSighting) -> Bool {
        askings.withLock { askings in
            guard let asking = askings[beacon.address] else { return true }
            let hasPaused = !asking.hasAnswered && beacon.lastSeen - asking.moment >= Self.pause
            guard hasPaused || beacon.lastSeen - asking.lastHeard >= Self.absence else {
                askings[beacon.address]?.lastHeard = max(asking.lastHeard, beacon.lastSeen)
                return false
            }
            askings[beacon.address] = nil
            return true
        }
    }
}
