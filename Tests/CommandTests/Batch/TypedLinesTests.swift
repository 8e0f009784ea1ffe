import Bytes
import Firmware
import Testing
import Tray
import UpdateModel

@testable import CommandKit

@Suite struct `Codes that are typed or scanned` {
    /// The lines read from `text`, delivered in pieces as by a terminal or a pipe.
    private func lines(_ text: String, inPiecesOf length: Int = 256) -> [String] {
        var typed = LineSplitter(limit: TypedLines.longest, excess: .cut)
        var lines: [[UInt8]] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            typed.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            while let line = typed.next() { lines.append(line) }
        }
        return (lines + [typed.rest()].compactMap(\.self)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [1, 7, 256, 5000]) func `are lines, including empty ones`(_ length: Int) {
        #expect(lines("N-1\r\n\nN-2\nN-3", inPiecesOf: length) == ["N-1\r", "", "N-2", "N-3"])
    }

    @Test(arguments: [1024, 1025, 3000, 100_000])
    func `continue after a line that is too long for a code`(_ length: Int) {
        let found = lines(String(repeating: "7", count: length) + "\nN-2\nN-3\n")
        #expect(found.count == 3 && found.dropFirst() == ["N-2", "N-3"])
        #expect(throws: ScannedCodeError.self) { try ScannedCode(line: found[0]) }
    }

    @Test func `are not read from a line that was cut after the code`() {
        let padded = "F0:0D:BE:AC:01:00" + String(repeating: " ", count: 2000) + "and more"
        #expect(throws: ScannedCodeError.self) { try ScannedCode(line: lines(padded + "\n")[0]) }
    }

    @Test func `are not used as a new password if they were cut`() {
        let cut = Secret(lines(String(repeating: "7", count: 2000))[0])
        let vendors = KnownVendors.withSessions.compactMap { $0 as? any PasswordVendor }
        #expect(!vendors.isEmpty && vendors.allSatisfy { $0.flaw(ofNew: cut) != nil })
    }
}
