import BeaconIdentity
import Catalogue
import Spelling

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

    /// Why `given` is none of the `known` words.
    static func unknown(_ what: String, _ given: String, among known: [String]) -> String {
        let list = "; there is \(known.joined(separator: ", "))"
        return "there is no \(what) '\(given)'" + Spelling.hint(for: given, in: known, otherwise: list)
    }
}
