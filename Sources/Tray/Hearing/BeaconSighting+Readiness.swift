import Bluetooth
import Firmware
public import Identity
public import UpdateModel

extension BeaconSighting {
    /// The update method that its advertised services indicate; nil if they indicate none.
    public var update: AdvertisedUpdate? { KnownVendors.update(advertisedBy: heard.data.services) }

    /// The firmware kinds that it accepts, by its services or otherwise by its maker; nil if neither is known.
    public var kinds: [FirmwareKind]? {
        update.map { [$0.kind] } ?? identity.maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }
    }

    /// The maker's own update method, where no other tool can update it; nil if it advertises an update service, as
    /// bootloaders do.
    public var vendorWay: String? { update == nil ? identity.maker?.vendorWay : nil }

    /// Whether it advertises the update service of a bootloader.
    public var isBootloader: Bool { update?.isBootloader ?? false }

    /// Whether it has sent everything that an update depends on, as far as beacons of its kind send it.
    public var isDecidable: Bool {
        isKnown && !identity.missing.contains { $0 == .version || $0 == .battery }
    }

    /// Whether its maker is known, or four reports have arrived that could have contained it: two adverts, each with a
    /// scan response.
    public var isHeardOut: Bool { isKnown || heard.reports >= 4 }

    /// Whether its frames or services identify its maker or its update method.
    public var isKnown: Bool { identity.maker != nil || update != nil }

    /// Whether this kind of bootloader may use its application's own address.
    public var mayBeAtItsApplication: Bool { isBootloader && update?.place != .above }

    /// Whether this kind of bootloader may use the address above its application's. Those of bonded units (which are
    /// not discoverable) use the application's own: the one at the next address may be another unit's.
    public var mayBeAboveItsApplication: Bool {
        isBootloader && update?.place != .application
            && heard.data.elements.contains {
                if case .flags(let bits) = $0 { bits & 0x03 != 0 } else { false }
            }
    }
}
