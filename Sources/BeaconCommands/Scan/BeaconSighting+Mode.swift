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

    /// What it is: a bootloader by what it takes, else whose beacon it is, else by what it takes.
    var kind: String {
        if let update, update.isBootloader { return update.kind.rawValue }
        return identity.family == .unknown
            ? update?.kind.rawValue ?? identity.family.rawValue : identity.family.rawValue
    }

    /// Who made it, or else whose update service it advertises.
    var vendor: String? {
        identity.maker?.rawValue ?? KnownVendors.vendorName(advertisedBy: heard.data.services)
    }

    /// What runs on it.
    var mode: RunningProgram { isBootloader ? .bootloader : .application }
}
