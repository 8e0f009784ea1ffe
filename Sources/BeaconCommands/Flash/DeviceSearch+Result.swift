import BeaconIdentity
import BluetoothTypes
import Radio
import UpdateEngine

extension DeviceSearch {
    /// What was found.
    struct Result: Sendable {
        /// The beacon.
        let beacon: BeaconSighting
        /// The application that was selected and not heard, where this is its bootloader.
        var absent: DeviceAddress?
        /// How long another program's scan was in the way of hearing.
        var deafness = Duration.zero
        /// The address of every device that was heard.
        var heard: Set<DeviceAddress> = []
        /// Since when, by the adapter's time, it was looked for.
        let since: Duration
        /// The trigger for which an iBeacon advertises another identity than the selected one.
        var trigger: IBeaconTrigger?

        /// The address by which the unit is selected as long as it runs its application.
        var application: DeviceAddress { absent ?? beacon.address }

        /// Who was heard, as an update has to know it.
        var nearbyScan: EarlierScan {
            EarlierScan(heard: heard, since: since, absent: absent, version: beacon.identity.version)
        }

        /// What is to be known of the beacon before it is updated: codes and words.
        var warnings: [(code: String, words: String)] {
            let address = beacon.address
            var warnings: [(code: String, words: String)] = []
            if deafness >= .seconds(1) {
                warnings.append(
                    (
                        "adapter-deaf",
                        "another program's scan hid beacons for \(Quantities.seconds(deafness.seconds)), which were not counted as looking"
                    ))
            }
            for (part, code) in [
                (AdvertisedIdentity.Part.battery, "battery-unknown"), (.version, "version-unknown"),
            ]
            where beacon.identity.missing.contains(part) {
                warnings.append(
                    (code, "\(address) has not advertised its \(part.rawValue), as beacons of its kind do"))
            }
            if let trigger {
                warnings.append(
                    (
                        "ibeacon-trigger",
                        "\(address) advertises another UUID than the selected one at the moment, because of \(trigger.words)"
                    ))
            }
            if let absent {
                warnings.append(
                    (
                        "bootloader-assumed",
                        "\(absent) is silent; \(address) is where its bootloader would be, and is one"
                    ))
            }
            return warnings
        }
    }
}
