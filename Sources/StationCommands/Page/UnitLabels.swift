import BenchPage
import WorkServer

/// The labels of a bench's units on the page: the labels of their slots, or else the end of their address or id, as
/// long as needed to be unique. Two trays of a station have the same slot labels, so a duplicate label also gets that
/// end.
struct UnitLabels {
    private let units: [UnitSummary]
    /// By the keys of the units.
    private let labels: [String: String]

    init(_ units: [UnitSummary]) {
        self.units = units
        var labels: [String: String] = [:]
        var taken: Set<String> = []
        var open = units
        for turn in 0..<Self.mostTurns {
            let found = open.map { Self.candidate(of: $0, turn) }
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

    private static let mostTurns = 7

    /// The label for the attempt `turn`, longer with each one.
    private static func candidate(of unit: UnitSummary, _ turn: Int) -> String {
        let ends = ends(of: unit.key)
        guard let slot = unit.slot else { return ends[min(turn, ends.count - 1)] }
        return turn == 0 ? slot : "\(slot) (\(ends[min(turn - 1, ends.count - 1)]))"
    }

    /// Ends of a unit's key, the shortest first, the whole key last. None is a single letter, which could be mistaken
    /// for a status: an address end has at least two bytes.
    static func ends(of key: String) -> [String] {
        let bare = key.hasPrefix("id:") ? key.dropFirst(3) : key.prefix { $0 != "/" }
        let lengths = key.hasPrefix("id:") ? [6, 10, 16] : [5, 8, 11, 14]
        return lengths.filter { $0 < bare.count }.map { String(bare.suffix($0)) } + [String(bare), key]
    }
}
