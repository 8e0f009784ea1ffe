import Testing

@testable import Tray

@Suite struct `A tray's map` {
    @Test func `has the rows and columns of its labels, with holes`() {
        let map = TrayMap(["A1", "A2", "B3", "C1"])
        #expect(map.isByLabel)
        #expect(map.rows == [[0, 1, nil], [nil, nil, 2], [3, nil, nil]])
    }

    @Test func `begins with its first row`() {
        #expect(TrayMap(["E1", "F2"]).rows == [[0, nil], [nil, 1]])
    }

    @Test(arguments: [
        ["1", "2"], ["A1", "slot 2"], ["A1", "A1"], ["A0"], ["A01"], ["Z1", "A1"], ["A1", "A900"],
        ["A1", "\u{391}2"],
        ["A1", "A+2"],
    ])
    func `has rows of eight if labels are not positions`(_ slots: [String]) {
        let map = TrayMap(slots)
        #expect(!map.isByLabel)
        #expect(map.rows.allSatisfy { $0.count == 8 })
        #expect(map.rows.flatMap(\.self).compactMap(\.self) == Array(slots.indices))
    }

    @Test func `of hundreds wraps`() {
        #expect(TrayMap((0..<500).map(String.init)).isFlowing)
        #expect(!TrayMap((0..<96).map(String.init)).isFlowing)
        #expect(TrayMap([]).rows.isEmpty)
    }
}
