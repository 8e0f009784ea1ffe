import Bluetooth
import Firmware
import Identity
import Tray
package import UpdateModel

extension BeaconSighting {
    package var rssi: Int8? { heard.strength.last }

    /// For a bootloader the kind of update that it takes; else the family; for an unknown family the kind of update.
    package var kind: String {
        if let update, update.isBootloader { return update.kind.rawValue }
        return identity.family == .unknown
            ? update?.kind.rawValue ?? identity.family.rawValue : identity.family.rawValue
    }

    /// The maker, or else the vendor of the update service that it advertises.
    package var vendor: String? {
        identity.maker?.rawValue ?? KnownVendors.vendorName(advertisedBy: heard.data.services)
    }

    /// The program that runs.
    package var mode: RunningProgram { isBootloader ? .bootloader : .application }
}
