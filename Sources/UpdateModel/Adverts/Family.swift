package import Bluetooth

/// A family of beacons that send the same frames. Each is declared once, beside its formats, and compared by identity.
package final class Family: Sendable, Hashable {
    /// The name in JSON and filters.
    package let rawValue: String
    /// Nil for standard formats, which any maker may use.
    package let maker: Maker?
    /// Whether a trigger changes the UUID of its iBeacon for a while.
    package let changesUUID: Bool
    /// How long after its first advertisement a beacon may still send its version; nil not to wait for it.
    package let versionTimeout: Duration?
    /// Whether a beacon that has sent only frames of other families belongs to this one; nil if that is never known.
    package let claims: (@Sendable (HeardFrames) -> Bool)?
    /// What its beacons advertise sooner or later: `parts` if `isWhole` holds for a beacon, otherwise `otherParts`.
    private let parts, otherParts: [AdvertisedPart]
    private let isWhole: @Sendable (HeardFrames) -> Bool

    package init(
        _ name: String, of maker: Maker?, _ parts: [AdvertisedPart] = [],
        otherwise otherParts: [AdvertisedPart] = [],
        whole isWhole: @escaping @Sendable (HeardFrames) -> Bool = { _ in true },
        claims: (@Sendable (HeardFrames) -> Bool)? = nil, changesUUID: Bool = false,
        versionTimeout: Duration? = nil
    ) {
        rawValue = name
        self.maker = maker
        (self.parts, self.otherParts, self.isWhole, self.claims) = (parts, otherParts, isWhole, claims)
        (self.changesUUID, self.versionTimeout) = (changesUUID, versionTimeout)
    }

    /// The parts that a beacon of this family advertises sooner or later, judging by what was heard of it.
    package func expected(after heard: HeardFrames) -> [AdvertisedPart] {
        isWhole(heard) ? parts : otherParts
    }

    /// Whether it is unknown which parts its beacons advertise.
    package var isOpen: Bool { parts.isEmpty }

    /// Whether some of its beacons may advertise their version. True for standard frames: their sender may turn out to
    /// belong to another family.
    package var advertisesVersion: Bool { maker == nil || parts.contains(.version) }

    package static let iBeacon = Family("ibeacon", of: nil)
    package static let eddystone = Family("eddystone", of: nil)
    package static let altBeacon = Family("altbeacon", of: nil)
    /// No known frames.
    package static let unknown = Family("unknown", of: nil)

    package static func == (one: Family, other: Family) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A part of a beacon's identity, which its frames report.
package enum AdvertisedPart: String, CaseIterable, Sendable {
    case name
    case version
    case battery
    case id
}

/// What was heard of a beacon. A family's rules derive from it what else the beacon advertises.
package struct HeardFrames {
    package let address: DeviceAddress
    package let name: String?
    package let frames: Set<FrameKind>
    package let isSecondGeneration: Bool

    package init(
        from address: DeviceAddress, name: String?, _ frames: Set<FrameKind>, isSecondGeneration: Bool
    ) {
        (self.address, self.name) = (address, name)
        (self.frames, self.isSecondGeneration) = (frames, isSecondGeneration)
    }
}

/// The maker of a beacon. Each is declared once and compared by identity.
package final class Maker: Sendable, Hashable {
    /// The name in JSON and filters.
    package let rawValue: String
    /// The name for people.
    package let title: String
    /// How the maker updates its beacons, if nobody else can; otherwise nil.
    package let vendorWay: String?
    /// The rows for its beacons in docs/makers.md; empty if a `Vendor` declares them.
    package let support: [MakerSupport]

    package init(_ name: String, _ title: String, vendorWay: String? = nil, _ support: MakerSupport...) {
        rawValue = name
        (self.title, self.vendorWay, self.support) = (title, vendorWay, support)
    }

    package static func == (one: Maker, other: Maker) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
