import BeaconIdentity
import BluetoothTypes
import NordicDFU
import Radio

extension BeaconSighting {
    var rssi: Int8? { heard.strength.last }

    /// Whether it offers Nordic's DFU service to whoever scans, which bootloaders do.
    var isBootloader: Bool {
        heard.data.services.contains(SecureService.uuid) || heard.data.services.contains(LegacyService.uuid)
    }

    /// What runs on it.
    var mode: Mode { isBootloader ? .bootloader : .application }

    enum Mode: String, Sendable, CaseIterable {
        case bootloader
        case application
    }
}
