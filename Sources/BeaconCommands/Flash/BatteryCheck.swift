import BeaconIdentity
import BluetoothTypes
import UpdateCore

/// Refuses a beacon whose advertisements say that its battery is too low for an update.
struct BatteryCheck: Sendable {
    let limit: MinimumCharge

    func callAsFunction(_ state: AdvertisedState, of address: DeviceAddress) throws(UpdateFailure) {
        guard let shortage = limit.shortage(of: state.charge) else { return }
        throw UpdateFailure(
            FailureCode(rawValue: "battery-low"), during: "looking for the device",
            message: "\(address) advertises a battery of \(shortage); nothing was sent to it",
            remedy: "give it a fresh battery, or allow less with --min-battery, such as --min-battery 0")
    }
}
