package import Bluetooth
package import Firmware
package import UpdateModel

/// Refuses a beacon that advertises a battery too low for an update.
package struct BatteryCheck: Sendable {
    package let limit: MinimumCharge

    package init(limit: MinimumCharge) { self.limit = limit }

    package func callAsFunction(_ charge: BatteryCharge, of address: DeviceAddress) throws(UpdateFailure) {
        try check(charge, during: "looking for the beacon", "\(address) advertises a battery of")
    }

    /// Checks the charge that the running application reports instead of the advertised one.
    package func callAsFunction(_ facts: ApplicationFacts, of address: DeviceAddress) throws(UpdateFailure) {
        guard let percent = facts.battery else { return }
        try check(
            BatteryCharge(percent: percent <= 100 ? Int(percent) : nil), during: "asking the application",
            "the application of \(address) reports a battery of")
    }

    private func check(_ charge: BatteryCharge, during step: String, _ words: String) throws(UpdateFailure) {
        guard let shortage = limit.shortage(of: charge) else { return }
        throw UpdateFailure(
            .device.batteryLow, during: step, message: "\(words) \(shortage); nothing was sent to it",
            remedy: "give it a fresh battery, then run the same command again")
    }
}
