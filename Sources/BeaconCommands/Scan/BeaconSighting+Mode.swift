import BeaconIdentity
import BluetoothTypes
import FirmwareModel
import Radio
import Tray
import UpdateCore
import Vendors

extension BeaconSighting {
    var rssi: Int8? { heard.strength.last }

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
