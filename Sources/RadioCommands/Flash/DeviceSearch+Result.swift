import Bluetooth
import CommandKit
import Identity
import UpdateEngine
import UpdateModel

extension DeviceSearch {
    /// The beacon that was found, and how.
    struct Result: Sendable {
        let beacon: BeaconSighting
        /// The address of the selected application, if it was not heard and `beacon` is its bootloader.
        var absent: DeviceAddress?
        /// How long another program's scan hid beacons.
        var deafness = Duration.zero
        /// The addresses of all devices that were heard.
        var heard: Set<DeviceAddress> = []
        /// When the search began, on the adapter's clock.
        let since: Duration
        /// The trigger that makes an iBeacon advertise an identity other than the selected one.
        var trigger: IBeaconTrigger?

        /// The address of the unit while it runs its application.
        var application: DeviceAddress { absent ?? beacon.address }

        /// The scan history for the update.
        var nearbyScan: EarlierScan {
            EarlierScan(heard: heard, since: since, absent: absent, version: beacon.identity.version)
        }

        /// Warnings about the beacon before its update: codes and words.
        var warnings: [(code: FailureCode, words: String)] {
            let address = beacon.address
            var warnings: [(code: FailureCode, words: String)] = []
            if deafness >= .seconds(1) {
                warnings.append(
                    (
                        .command.adapterDeaf,
                        "another program's scan hid beacons for \(Quantities.seconds(deafness.seconds)); that time did not count as search time"
                    ))
            }
            for (part, code) in [
                (AdvertisedIdentity.Part.battery, FailureCode.command.batteryUnknown),
                (.version, .command.versionUnknown),
            ]
            where beacon.identity.missing.contains(part) {
                warnings.append(
                    (code, "\(address) did not advertise its \(part.rawValue), which beacons of its kind do"))
            }
            if let trigger {
                warnings.append(
                    (
                        .command.iBeaconTrigger,
                        "\(address) currently advertises a UUID other than the selected one, because of \(trigger.words)"
                    ))
            }
            if let absent {
                warnings.append(
                    (
                        .device.bootloaderAssumed,
                        "\(absent) is silent; \(address) is the address of its bootloader, and is a bootloader"
                    ))
            }
            return warnings
        }
    }
}
