package import Bluetooth

/// The family of a beacon, by its frames. Each is declared once, beside its formats, and compared by identity.
package final class Family: Sendable, Hashable {
    /// The name in JSON and filters.
    package let rawValue: String
    /// Nil for standard formats, which any maker may use.
    package let maker: Maker?
    /// Whether a trigger changes the UUID of its iBeacon for a while.
    package let changesUUID: Bool
    /// How long a version may still come when nothing else is expected.
    package let versionTimeout: Duration?
    /// Whether a beacon that was only heard with frames of others is one of this family; nil if that never shows.
    package let claims: (@Sendable (HeardFrames) -> Bool)?
    /// What its beacons advertise sooner or later, and what those do that are not `isWhole`.
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

    /// What a beacon of this family advertises, judging by what was heard.
    package func expected(after heard: HeardFrames) -> [AdvertisedPart] {
        isWhole(heard) ? parts : otherParts
    }

    /// Whether nothing is known of what its beacons advertise.
    package var isOpen: Bool { parts.isEmpty }

    /// Whether some of its beacons advertise their version. One with standard frames may turn out to be of another
    /// family.
    package var advertisesVersion: Bool { maker == nil || parts.contains(.version) }

    package static let iBeacon = Family("ibeacon", of: nil)
    package static let eddystone = Family("eddystone", of: nil)
    package static let altBeacon = Family("altbeacon", of: nil)
    /// No known frames.
    package static let unknown = Family("unknown", of: nil)

    package static func == (one: Family, other: Family) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What frames may still have to report before an identity is complete.
package enum AdvertisedPart: String, CaseIterable, Sendable {
    case name
    case version
    case battery
    case id
}

/// What was heard of a beacon, for rules about what else it advertises.
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
    /// How its beacons are updated, if only the maker can do that.
    package let vendorWay: String?
    /// The rows of its beacons in docs/makers.md; empty if a vendor's value has them.
    package let support: [MakerSupport]

    package init(_ name: String, _ title: String, vendorWay: String? = nil, _ support: MakerSupport...) {
        rawValue = name
        (self.title, self.vendorWay, self.support) = (title, vendorWay, support)
    }

    package static func == (one: Maker, other: Maker) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
