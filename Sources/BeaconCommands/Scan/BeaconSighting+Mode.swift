import Bluetooth
import Firmware
import Identity
import Tray
import UpdateModel

extension BeaconSighting {
    var rssi: Int8? { heard.strength.last }

    /// For a bootloader the kind of update that it takes; else the family; for an unknown family the kind of update.
    var kind: String {
        if let update, update.isBootloader { return update.kind.rawValue }
        return identity.family == .unknown
            ? update?.kind.rawValue ?? identity.family.rawValue : identity.family.rawValue
    }

    /// The maker, or else the vendor of the update service that it advertises.
    var vendor: String? {
        identity.maker?.rawValue ?? KnownVendors.vendorName(advertisedBy: heard.data.services)
    }

    /// The program that runs.
    var mode: RunningProgram { isBootloader ? .bootloader : .application }
}
