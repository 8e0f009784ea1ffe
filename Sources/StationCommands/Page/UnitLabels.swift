import BenchPage
import WorkServer

/// The labels of a bench's units on the page: the label of the slot, or for a unit without one the end of its address
/// or id, as long as needed to be unique. Trays of a station can have equal slot labels, which also get such an end.
struct UnitLabels {
    private let units: [UnitSummary]
    /// The labels by the keys of their units.
    private let labels: [String: String]

    init(_ units: [UnitSummary]) {
        self.units = units
        var labels: [String: String] = [:]
        var taken: Set<String> = []
        var open = units
        for round in 0..<Self.mostRounds {
            let found = open.map { Self.candidate(of: $0, round) }
            let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
            for (unit, label) in zip(open, found) where counts[label] == 1 && !taken.contains(label) {
                labels[unit.key] = label
            }
            taken.formUnion(labels.values)
            open.removeAll { labels[$0.key] != nil }
        }
        self.labels = labels
    }

    /// The units as the page shows them.
    var pages: [PageUnit] { units.map { PageUnit($0, label(of: $0)) } }

    /// The keys of the units by their labels.
    var keys: [String: String] {
        Dictionary(units.map { (label(of: $0), $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    private func label(of unit: UnitSummary) -> String { labels[unit.key] ?? unit.key }

    /// A slot's label alone, then with each of the at most six ends.
    private static let mostRounds = 7

    /// The label to try in the round `round`, from 0; later rounds have longer ones.
    private static func candidate(of unit: UnitSummary, _ round: Int) -> String {
        let ends = ends(of: unit.key)
        guard let slot = unit.slot else { return ends[min(round, ends.count - 1)] }
        return round == 0 ? slot : "\(slot) (\(ends[min(round - 1, ends.count - 1)]))"
    }

    /// Ends of a unit's key, the shortest first, the whole key last. The end of an address has at least two bytes: a
    /// single letter could be mistaken for a status.
    static func ends(of key: String) -> [String] {
        let bare = key.hasPrefix("id:") ? key.dropFirst(3) : key.prefix { $0 != "/" }
        let lengths = key.hasPrefix("id:") ? [6, 10, 16] : [5, 8, 11, 14]
        return lengths.filter { $0 < bare.count }.map { String(bare.suffix($0)) } + [String(bare), key]
    }
}
