import BeaconIdentity
import BluetoothTypes
import FirmwareModel
import Radio
import UpdateCore
import Vendors

extension BeaconSighting {
    var rssi: Int8? { heard.strength.last }

    /// What it takes, by the services that it advertises; nil where they do not tell.
    var update: AdvertisedUpdate? { KnownVendors.update(advertisedBy: heard.data.services) }

    /// Whether it advertises the update service of a bootloader.
    var isBootloader: Bool { update?.isBootloader ?? false }

    /// What runs on it.
    var mode: RunningProgram { isBootloader ? .bootloader : .application }
}
