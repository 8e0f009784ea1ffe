import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A watch of three hundred beacons` {
    /// Names of at most 29 bytes: East Asian and wide, from right to left, with combining marks, emoji of several
    /// parts, and control sequences.
    private static let names = [
        "東京灯台", "ﾊﾛｰ ｗｉｄｅ", "مصباح ٣", "מגדלור 12", "Le\u{301}on a\u{308}\u{323}", "हिन्दी", "ไฟฉาย",
        "\u{1F469}\u{200D}\u{1F52C} lab", "\u{1F50B}\u{1F50B}\u{1F50B}\u{1F50B}\u{1F50B}", "Φάρος",
        "a\u{1B}[2Jb",
        "line\nbreak\ttab", "\u{202E}live", "Tag",
    ]

    /// How the displayed forms of these begin.
    private static let shownNames = [
        "東京灯台", "ﾊﾛｰ ｗｉｄｅ", "مصباح ٣", "מגדלור 12", "Le\u{301}on ", "हिन्दी", "ไฟฉาย", "\u{1F469}\\u{200d}",
        "\u{1F50B}\u{1F50B}\u{1F50B}\u{1F50B}\u{1F50B}", "Φάρος", "a\\u{1b}[2Jb", "line\\", "\\u{202e}live",
        "Tag",
    ]

    private static func crowd() throws -> Tray {
        let beacons = try (0..<300).map { number -> String in
            let name = String(
                decoding: try JSONEncoder().encode(names[number % names.count]), as: UTF8.self)
            let address = String(format: "C0:00:00:00:%02X:%02X", number / 256, number % 256)
            return "  - {kind: ibeacon, address: '\(address)', name: \(name), period_ms: 1000, "
                + "phase_ms: \(number * 3), rssi: \(-30 - number % 60)}"
        }
        return try Tray(beacons.joined(separator: "\n"))
    }

    @Test func `stays in position on a terminal of 24 rows, and is not redrawn for each report`()
        throws
    {
        let tray = try Self.crowd()
        let began = ContinuousClock.now
        let run = try PseudoTerminal().run(["scan", "--watch", "--for", "3", "--adapter", tray.scenario])
        #expect(run.status == 0)
        // Each frame is erased before the next; the result follows the last erasure.
        let frames = run.output.components(separatedBy: "\u{1B}[J").dropLast()
        let most = Int((ContinuousClock.now - began) / .milliseconds(250)) + 1
        #expect((4...most).contains(frames.count), "\(frames.count)")
        // The cursor is where a shell leaves it: whatever does not fit scrolls, once.
        var screen = TerminalScreen(row: 23)
        for (number, frame) in frames.enumerated() {
            if number > 0 { screen.show("\u{1B}[J") }
            screen.show(frame)
            #expect(number == 0 || screen.scrolled == 22, "frame \(number)")
            #expect(screen.overrun == 0 && screen.unknown.isEmpty, "frame \(number): \(screen.unknown)")
        }
        try Self.check(screen)
    }

    /// Whether the columns of the table align, from the second row on.
    private static func check(_ screen: TerminalScreen) throws {
        // A busy machine has not received all of them when the last frame is drawn, so others may be the nearest.
        let rest = try #require(screen.lines[23].wholeMatch(of: /and (\d+) more; Ctrl-C ends/))
        #expect((1...279).contains(try #require(Int(rest.1))))
        let heading = screen.lines[1]
        for word in ["NAME", "KIND", "MODE", "RSSI"] {
            let place = try #require(heading.firstRange(of: word))
            let column = heading.distance(from: heading.startIndex, to: place.lowerBound)
            for row in 2...22 {
                #expect(screen.cell(row, column - 1) == " ", "\(word): \(screen.lines[row])")
                #expect(screen.cell(row, column) != " ", "\(word): \(screen.lines[row])")
            }
        }
        for row in 2...22 {
            let line = screen.lines[row]
            let number = try #require(Int(line.dropFirst(12).prefix(5).filter { $0 != ":" }, radix: 16))
            let name = Self.shownNames[number % Self.names.count]
            #expect(line.dropFirst(19).hasPrefix(name), "\(name) is not in \(line)")
        }
    }
}
