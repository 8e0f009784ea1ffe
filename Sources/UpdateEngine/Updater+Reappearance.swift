import BluetoothTypes
import GATT
import Radio
import Timing
import UpdateCore

extension Updater {
    /// Looks whether the application came up, within the patience that the procedure asks for.
    func reappearance(
        of course: Course, _ completion: Completion
    ) async throws -> Verification {
        let places = course.places
        let entrance = course.procedure.entrance
        report(.phase(.rebooting))
        let deadline = adapter.time.now + completion.patience
        var bootloaderSightings = 0
        while true {
            let left = max(.zero, deadline - adapter.time.now)
            guard let heard = try await adapter.firstHeard(of: places.all, within: left) else {
                throw bootloaderSightings > 0 ? stillInBootloader(places) : vanished(places, completion)
            }
            if bootloaderSightings == 0 { report(.phase(.verifying)) }
            if try await runsApplication(heard, places, entrance) {
                return completion.isConfirmed ? .reappeared : .no
            }
            bootloaderSightings += 1
            // Once may be the last advertisement before a second restart.
            guard bootloaderSightings < 3 else { throw stillInBootloader(places) }
            try await adapter.time.sleep(for: policy.longestPause)
        }
    }

    /// Whether `heard` is the application: by its characteristics, or by an address that only the
    /// application has when it does not take connections.
    private func runsApplication(
        _ heard: Advertisement, _ places: Whereabouts, _ entrance: Characteristic
    ) async throws -> Bool {
        let isElsewhere = heard.address != places.bootloader
        guard heard.isConnectable else { return isElsewhere }
        do {
            return try await adapter.withConnection(to: heard.address, within: policy.connect) { client in
                try await !client.offers(entrance)
            }
        } catch AdapterError.noAnswer {
            return isElsewhere
        } catch let error as GATTError where error != .cancelled {
            return isElsewhere
        }
    }

    private func stillInBootloader(_ places: Whereabouts) -> UpdateFailure {
        UpdateFailure(
            .activationFailed, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and came back in its bootloader")
    }

    private func vanished(_ places: Whereabouts, _ completion: Completion) -> UpdateFailure {
        UpdateFailure(
            .didNotReappear, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and was not heard again for "
                + "\(Int(completion.patience.seconds)) s")
    }
}
