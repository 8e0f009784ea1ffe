import BenchPage
import StationEngine

/// What the units of a bench are called on the page: by the labels of their places. Two trays of a station have the same labels, so a
/// label that is there twice has the end of the unit's key with it.
struct UnitLabels {
    private let units: [UnitSummary]
    private let counts: [String: Int]

    init(_ units: [UnitSummary]) {
        self.units = units
        counts = Dictionary(units.map { ($0.slot ?? $0.key, 1) }, uniquingKeysWith: +)
    }

    /// The units as the page shows them.
    var pages: [PageUnit] { units.map { PageUnit($0, label(of: $0)) } }

    /// The keys of the units by their labels.
    var keys: [String: String] {
        Dictionary(units.map { (label(of: $0), $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    private func label(of unit: UnitSummary) -> String {
        guard let slot = unit.slot else { return unit.key }
        return counts[slot] == 1 ? slot : "\(slot) (\(unit.key))"
    }
}
