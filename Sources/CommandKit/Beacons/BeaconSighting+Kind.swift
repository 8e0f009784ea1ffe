import Bluetooth
package import Firmware
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

    package var model: String? { identity.model ?? identity.modelNumber.map { "#\($0)" } }

    /// The maker, or else the vendor of the update service that it advertises.
    package var vendor: String? {
        identity.maker?.rawValue ?? KnownVendors.vendorName(advertisedBy: heard.data.services)
    }

    package var mode: RunningProgram { isBootloader ? .bootloader : .application }
}

extension CatalogueDevice {
    package init(_ sighting: BeaconSighting) {
        self.init()
        let identity = sighting.identity
        (maker, family) = (identity.maker?.rawValue, identity.family.rawValue)
        familyMayChange = maker == nil
        let session = KnownVendors.vendor(of: sighting)
        reportsModelInSession = session?.reportedFacts(hasSecret: false).contains("model") ?? false
        (model, number, name) = (identity.model, identity.modelNumber, sighting.data.name)
        (id, hardware, version) = (identity.id, identity.hardwareVersion, identity.version)
        (battery, millivolts) = (identity.charge.percent, identity.charge.millivolts)
        isBootloader = sighting.isBootloader
        kind = sighting.update?.kind
        versionSource = version == nil ? nil : .advertising
    }
}

extension HeardBeacon {
    package init(_ beacon: BeaconSighting) {
        let identity = beacon.identity
        self.init(at: beacon.address)
        (family, name, model, id) = (identity.family.rawValue, identity.name, identity.model, identity.id)
        (services, flags) = (beacon.data.services, Set(identity.flags))
        isSecondGeneration = identity.isSecondGeneration
    }
}
