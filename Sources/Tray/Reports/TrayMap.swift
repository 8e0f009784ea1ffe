import Bytes
import UpdateModel

/// The layout of a tray's map, which has a tile for each unit: in rows and columns by the labels, for example `A1` to
/// `F8`; with other labels, eight per row in the tray's order, or as many as fit if there are more than a page holds.
struct TrayMap: Equatable, Sendable {
    /// The rows; each tile is the index of a unit in the record, or nil for an empty place.
    let rows: [[Int?]]
    /// Whether rows and columns follow the labels.
    let isByLabel: Bool
    /// Whether all tiles are one row that wraps at the page's width.
    var isFlowing: Bool { rows.count == 1 && rows[0].count > Self.mostTiles }

    /// The most columns of a map by labels: with more, tiles would be unreadable.
    private static let mostColumns = 16
    private static let mostRows = 26
    /// The most tiles of a map in rows of eight.
    private static let mostTiles = 96

    init(_ slots: [String]) {
        let places = slots.map(Self.place)
        let known = places.compactMap(\.self)
        let width = (known.map(\.column).max() ?? -1) + 1
        let first = known.map(\.row).min() ?? 0
        let height = (known.map(\.row).max() ?? -1) + 1 - first
        let isGrid =
            known.count == slots.count && width <= Self.mostColumns && height <= Self.mostRows
            && Set(known).count == slots.count && width * height <= max(8, slots.count * 3)
        guard isGrid, !slots.isEmpty else {
            let columns = slots.count > Self.mostTiles ? slots.count : 8
            rows = stride(from: 0, to: slots.count, by: columns).map { start in
                (start..<start + columns).map { $0 < slots.count ? $0 : nil }
            }
            isByLabel = false
            return
        }
        var rows = [[Int?]](repeating: [Int?](repeating: nil, count: width), count: height)
        for (index, place) in known.enumerated() { rows[place.row - first][place.column] = index }
        (self.rows, isByLabel) = (rows, true)
    }

    private struct Place: Hashable { var row, column: Int }

    /// The place of a label that is a letter and a number from 1, for example `B3`; nil for any other label.
    private static func place(_ label: String) -> Place? {
        guard let letter = label.utf8.first, label.utf8.count <= 3 else { return nil }
        let row = Int(letter & 0xDF) - Int(UInt8(ascii: "A"))
        let digits = label.utf8.dropFirst()
        guard (0..<26).contains(row), letter >= 0x41, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(String(label.dropFirst()))
        else { return nil }
        return Place(row: row, column: number - 1)
    }
}
