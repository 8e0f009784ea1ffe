import BeaconIdentity
import BluetoothTypes
import UpdateCore

/// Refuses a beacon whose advertisement says that its battery is too low for an update.
struct BatteryCheck: Sendable {
    let limit: MinimumCharge

    func callAsFunction(_ data: AdvertisingData, of address: DeviceAddress) throws(UpdateFailure) {
        guard let shortage = limit.shortage(of: AdvertisedState(data, from: address).charge) else { return }
        throw UpdateFailure(
            FailureCode(rawValue: "battery-low"), during: "looking for the device",
            message: "\(address) advertises a battery of \(shortage); nothing was sent to it",
            remedy: "give it a fresh battery, or allow less with --min-battery, such as --min-battery 0")
    }
}
