import Bytes
package import Firmware
import Identity
import UpdateModel

extension CatalogueModel {
    /// Errors for makers and kinds under `recognised_by` that this program does not know.
    package var unknownWords: [CatalogueFinding] {
        let words = [
            ("maker", recognition.maker, Maker.allCases.map(\.rawValue)),
            ("kind", recognition.family, Family.allCases.map(\.rawValue)),
        ]
        return words.compactMap { what, given, known in
            guard let given, !known.contains(given) else { return nil }
            return CatalogueFinding(
                .catalogue.wordUnknown, at: place, Self.unknown(what, given, among: known))
        }
    }

    /// An error for a `version_from` in which no beacon of the family shows its version; empty if some may.
    ///
    /// A family that is recognised by neither maker nor kind may include any beacon.
    package var unreadVersion: [CatalogueFinding] {
        let families = Family.allCases.filter { family in
            (recognition.maker ?? family.maker?.rawValue) == family.maker?.rawValue
                && (recognition.family ?? family.rawValue) == family.rawValue
        }
        let (shows, words): ((Family) -> Bool, String)
        switch versionSource {
        case .session:
            (shows, words) = ({ $0.hasSession(forUpdatesOf: device.kind) }, "reports it in a session")
        case .advertising: (shows, words) = (\.advertisesVersion, "advertises it")
        case .firmwareRevision, .softwareRevision, nil: return []
        }
        guard !families.isEmpty, !families.contains(where: shows) else { return [] }
        return [
            CatalogueFinding(
                .catalogue.catalogueVersionUnread, at: place,
                "'version_from: \(versionSource?.rawValue ?? "")': no beacon that can be a \(name) \(words)")
        ]
    }

    /// The message that `given` is not a `known` word.
    package static func unknown(_ what: String, _ given: String, among known: [String]) -> String {
        let list = "; there is \(known.joined(separator: ", "))"
        return "there is no \(what) '\(given)'" + Spelling.hint(for: given, in: known, otherwise: list)
    }
}

extension Family {
    /// Whether beacons of this family with updates of `kind` report their version in a session that this program
    /// supports.
    fileprivate func hasSession(forUpdatesOf kind: FirmwareKind) -> Bool {
        guard self == .kkm || self == .feasycom else { return false }
        return maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }?.contains(kind) ?? true
    }

    /// Whether some beacons of this family advertise their version.
    fileprivate var advertisesVersion: Bool {
        switch self {
        case .kkm, .kontakt, .nearable, .feasycom, .aSensor: true
        // A beacon with these frames may turn out to be of another family.
        case .iBeacon, .eddystone, .altBeacon, .unknown: true
        case .kkmOld, .estimote, .orangeTag: false
        }
    }
}
