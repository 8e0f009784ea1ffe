package import Bluetooth
package import Firmware
package import UpdateModel

package struct TrayTarget: Hashable, Sendable {
    package let slot: String
    package internal(set) var device: DeviceSelector
    /// The vendor's id on the unit's label; nil if it was not read.
    package let label: String?
    /// The addresses of the unit's bootloader, if the user has chosen one or an earlier session has sent firmware to it;
    /// empty for the address after the application's.
    package var bootloaders: [DeviceAddress] = []
    /// Whether an earlier attempt may have left the unit in its bootloader, which the search then accepts at once.
    package var mayBeInBootloader: Bool
    /// Whether the unit may already run the new firmware, because it received the command to install it.
    package var mayBeInstalled: Bool
    /// The firmware that an earlier attempt sent or was to send; nil if there was none.
    package var earlier: FirmwareRecord?

    package init(
        slot: String, device: DeviceSelector, label: String? = nil, mayBeInBootloader: Bool = false,
        mayBeInstalled: Bool = false, bootloaders: [DeviceAddress] = []
    ) {
        (self.slot, self.device, self.label) = (slot, device, label)
        self.bootloaders = bootloaders
        (self.mayBeInBootloader, self.mayBeInstalled) = (mayBeInBootloader, mayBeInstalled)
    }
}

package enum TrayFinding: Equatable, Sendable {
    case unit(BeaconSighting)
    /// The unit's bootloader, found by its address; the application, at the address `silentApplication`, is silent.
    case bootloader(BeaconSighting, silentApplication: DeviceAddress)
    /// The selector matches several beacons.
    case ambiguous([DeviceAddress])
    /// The beacon was already found for the slot `by`.
    case taken(DeviceAddress, by: String)
    /// The beacon advertises the id `says`, which differs from the one on its label.
    case mislabelled(BeaconSighting, says: String)

    package var beacon: BeaconSighting? {
        switch self {
        case .unit(let beacon), .bootloader(let beacon, _), .mislabelled(let beacon, _): beacon
        case .ambiguous, .taken: nil
        }
    }

    /// The address of the unit's application, whether or not it runs; nil if the unit was not identified.
    package var application: DeviceAddress? {
        switch self {
        case .unit(let beacon), .mislabelled(let beacon, _): beacon.address
        case .bootloader(_, let application): application
        case .ambiguous, .taken: nil
        }
    }

    /// The address whose signals go to the schedule.
    var address: DeviceAddress? {
        switch self {
        case .unit, .bootloader, .mislabelled: beacon?.address
        case .ambiguous(let addresses): addresses.first
        case .taken(let address, _): address
        }
    }
}

extension BeaconSighting {
    package var update: AdvertisedUpdate? { KnownVendors.update(advertisedBy: heard.data.services) }

    /// The firmware kinds that the beacon accepts, by its services or otherwise by its maker; nil if neither is known.
    package var kinds: [FirmwareKind]? {
        update.map { [$0.kind] } ?? identity.maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }
    }

    /// The maker's own update method, if no other tool can update the beacon. Nil if the beacon advertises an update
    /// service, as bootloaders do.
    package var vendorWay: String? { update == nil ? identity.maker?.vendorWay : nil }

    package var isBootloader: Bool { update?.isBootloader ?? false }

    /// Whether the beacon has sent everything that an update depends on, as far as beacons of its kind send it.
    package var isDecidable: Bool {
        isKnown && !identity.missing.contains { $0 == .version || $0 == .battery }
    }

    /// Whether the maker is known, or enough reports have arrived that could have named it: two adverts, each with a scan
    /// response.
    package var isHeardOut: Bool { isKnown || heard.reports >= 4 }

    package var isKnown: Bool { identity.maker != nil || update != nil }

    package var mayBeAtItsApplication: Bool { isBootloader && update?.place != .above }

    /// Whether this kind of bootloader may use the address one above its application's. The bootloader of a bonded unit
    /// is not discoverable and uses the application's own address: the bootloader one above may be another unit's.
    package var mayBeAboveItsApplication: Bool {
        isBootloader && update?.place != .application
            && heard.data.elements.contains {
                if case .flags(let bits) = $0 { bits & 0x03 != 0 } else { false }
            }
    }
}
