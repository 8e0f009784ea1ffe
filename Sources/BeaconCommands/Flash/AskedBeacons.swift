import BeaconIdentity
import BluetoothTypes
import Radio
import Synchronization

/// The beacons that were asked over a connection who they are, while another one is waited for.
final class AskedBeacons: Sendable {
    /// One that is not heard for so long may have been somewhere else.
    static let absence = Duration.seconds(30)
    /// One that has not answered is asked again after so long.
    static let pause = Duration.seconds(10)

    private struct Asking {
        let moment: Duration
        let hasAnswered: Bool
        var lastHeard: Duration
    }

    private let askings = Mutex<[DeviceAddress: Asking]>([:])

    /// Notes that `address` was asked, until `moment`.
    func note(_ address: DeviceAddress, at moment: Duration, hasAnswered: Bool) {
        askings.withLock {
            $0[address] = Asking(moment: moment, hasAnswered: hasAnswered, lastHeard: moment)
        }
    }

    /// Whether `beacon`, which was just heard, was not asked yet; or has not answered, or was gone since then.
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
