import Testing
import Tray

@testable import BeaconCommands

@Suite struct `Codes that are typed or scanned` {
    /// What comes of `text`, in pieces as a terminal or a pipe gives them.
    private func lines(_ text: String, inPiecesOf length: Int = 256) -> [String] {
        var typed = TypedLines()
        var lines: [String] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            typed.take(rest.prefix(length))
            rest = rest.dropFirst(length)
            while let line = typed.next() { lines.append(line) }
        }
        return lines + [typed.rest()].compactMap(\.self)
    }

    @Test(arguments: [1, 7, 256, 5000]) func `are lines, of which an empty one counts`(_ length: Int) {
        #expect(lines("N-1\r\n\nN-2\nN-3", inPiecesOf: length) == ["N-1\r", "", "N-2", "N-3"])
    }

    @Test(arguments: [1024, 1025, 3000, 100_000])
    func `go on after a line that is too long for a code`(_ length: Int) {
        let found = lines(String(repeating: "7", count: length) + "\nN-2\nN-3\n")
        #expect(found.count == 3 && found.dropFirst() == ["N-2", "N-3"])
        #expect(throws: ScannedCodeFlaw.self) { try ScannedCode(line: found[0]) }
    }

    @Test func `are none where a line was cut that begins with one`() {
        let padded = "F0:0D:BE:AC:01:00" + String(repeating: " ", count: 2000) + "and more"
        #expect(throws: ScannedCodeFlaw.self) { try ScannedCode(line: lines(padded + "\n")[0]) }
    }
}
