import BeaconIdentity
import Catalogue
import FirmwareModel
import Spelling
import Vendors

extension CatalogueModel {
    /// Makers and kinds in what the family is recognised by that no beacon is ever said to be of.
    var unknownWords: [CatalogueFlaw] {
        let words = [
            ("maker", recognition.maker, Maker.allCases.map(\.rawValue)),
            ("kind", recognition.family, Family.allCases.map(\.rawValue)),
        ]
        return words.compactMap { what, given, known in
            guard let given, !known.contains(given) else { return nil }
            return CatalogueFlaw("catalogue-word-unknown", at: place, Self.unknown(what, given, among: known))
        }
    }

    /// What the family names as showing the version, where none of its beacons shows one in that; nil where some do.
    ///
    /// Of what is recognised by neither maker nor kind any beacon may be one.
    var unreadVersion: [CatalogueFlaw] {
        let families = Family.allCases.filter { family in
            (recognition.maker ?? family.maker?.rawValue) == family.maker?.rawValue
                && (recognition.family ?? family.rawValue) == family.rawValue
        }
        let (shows, words): ((Family) -> Bool, String)
        switch versionSource {
        case .session:
            (shows, words) = ({ $0.hasSession(forUpdatesOf: device.kind) }, "tells it in a session")
        case .advertising: (shows, words) = (\.advertisesVersion, "advertises one")
        case .firmwareRevision, .softwareRevision, nil: return []
        }
        guard !families.isEmpty, !families.contains(where: shows) else { return [] }
        return [
            CatalogueFlaw(
                "catalogue-version-unread", at: place,
                "'version_from: \(versionSource?.rawValue ?? "")': no beacon that can be a \(name) \(words)")
        ]
    }

    /// Why `given` is none of the `known` words.
    static func unknown(_ what: String, _ given: String, among known: [String]) -> String {
        let list = "; there is \(known.joined(separator: ", "))"
        return "there is no \(what) '\(given)'" + Spelling.hint(for: given, in: known, otherwise: list)
    }
}

extension Family {
    /// Whether beacons of this kind, which take `kind`, tell their version in a session that is known.
    fileprivate func hasSession(forUpdatesOf kind: FirmwareKind) -> Bool {
        guard self == .kkm || self == .feasycom else { return false }
        return maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }?.contains(kind) ?? true
    }

    /// Whether some beacons of this kind advertise their version.
    fileprivate var advertisesVersion: Bool {
        switch self {
        case .kkm, .kontakt, .nearable, .feasycom, .aSensor: true
        // Its frames are those of one that may turn out to be of another kind.
        case .iBeacon, .eddystone, .altBeacon, .unknown: true
        case .kkmOld, .estimote, .orangeTag: false
        }
    }
}
