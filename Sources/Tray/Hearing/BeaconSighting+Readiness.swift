public import BeaconIdentity
import BluetoothTypes
public import FirmwareModel
import Radio
import Vendors

extension BeaconSighting {
    /// What it takes, by the services that it advertises; nil where they do not tell.
    public var update: AdvertisedUpdate? { KnownVendors.update(advertisedBy: heard.data.services) }

    /// The kinds of firmware that it takes, by its services or else by its maker; nil where neither tells.
    public var kinds: [FirmwareKind]? {
        update.map { [$0.kind] } ?? identity.maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }
    }

    /// How its maker updates it, where nobody else can; nil where it advertises an update service, as bootloaders do.
    public var vendorWay: String? { update == nil ? identity.maker?.vendorWay : nil }

    /// Whether it advertises the update service of a bootloader.
    public var isBootloader: Bool { update?.isBootloader ?? false }

    /// Whether it has said all of what an update depends on, as far as beacons of its kind say it.
    public var isDecidable: Bool {
        isKnown && !identity.missing.contains { $0 == .version || $0 == .battery }
    }

    /// Whether its maker is known, or it has had four reports in which to say that: two, each with a scan response.
    public var isHeardOut: Bool { isKnown || heard.reports >= 4 }

    /// Whether its frames or services tell whose it is, or what it takes.
    public var isKnown: Bool { identity.maker != nil || update != nil }

    /// Whether a bootloader may be at its application's own address by its kind.
    public var mayBeAtItsApplication: Bool { isBootloader && update?.place != .above }

    /// Whether a bootloader may be above its application's address by its kind. Those of bonded units (which are not
    /// discoverable) are at the application's own: the one at the next address may be another unit's.
    public var mayBeAboveItsApplication: Bool {
        isBootloader && update?.place != .application
            && heard.data.elements.contains {
                if case .flags(let bits) = $0 { bits & 0x03 != 0 } else { false }
            }
    }
}
