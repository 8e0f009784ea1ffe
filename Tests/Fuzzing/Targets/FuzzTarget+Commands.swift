import Bytes
import Dialog
import Firmware
import FoundationEssentials
import Nordic
import Simulation
import TestSupport
import UpdateModel

@testable import Bluetooth
@testable import CommandKit
@testable import FileCommands

extension FuzzTarget {
    /// The inputs of the commands themselves: words of the user, files, and reports of a device.
    static let commands = [inventory, words, profiles, reports, pages, aliases, json, keyFiles, keyboard]

    /// A device that sends the packets of the script.
    private static let inventory = FuzzTarget("inventory", seeds: { devices.map(Script.input) }) { input in
        try await VirtualTime.run { time in
            let peer = ScriptedPeer(Script(input).packets)
            let client = ATTClient(bearer: peer, time: time.clock)
            async let _ = client.run()
            defer { peer.close() }
            let reader = InventoryReader(client, time: time.clock, within: .seconds(30))
            guard let found = try? await reader.read() else { return }
            try demand(found.services.count <= InventoryReader.mostServices, "too many services")
            try demand(
                found.characteristics.count <= InventoryReader.mostCharacteristics, "too many characteristics"
            )
            for entry in found.characteristics {
                try demand(entry.descriptors.count <= InventoryReader.mostDescriptors, "too many descriptors")
                try demand((entry.userDescription?.count ?? 0) <= 512, "a long description")
                if case .value(let bytes) = entry.reading { try demand(bytes.count <= 512, "a long value") }
            }
            try demand(time.now <= .seconds(31), "it takes \(time.now)")
            _ = KnownVendors.updates(offeredBy: found)
        }
    }

    /// The first byte chooses the use of the text.
    private static let words = FuzzTarget("words", seeds: { texts }) { input in
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        switch (input.first ?? 0) % 4 {
        case 0:
            guard let selector = DeviceSelector(argument: text) else { return }
            // The text does not say whether an address is public.
            let again = DeviceSelector(argument: "\(selector)").map { "\($0)" }
            try demand(again == "\(selector)", "\(selector) is another one")
        case 1:
            do throws(FilterError) { _ = try SightingFilter(text) } catch {
                try demand((1...text.count + 1).contains(error.column), "\(error), in \(text.count)")
            }
        case 2:
            guard let pins = try? PinMap(text) else { return }
            let digits = String(pins.number, radix: 16)
            let again = try PinMap(String(repeating: "0", count: 8 - digits.count) + digits)
            try demand(again.number == pins.number, "\(again.number) is another number than \(pins.number)")
        default:
            guard let time = TimeArgument(argument: text) else { return }
            try demand(TimeArgument(argument: "\(time.seconds)") == time, "\(time.seconds) is another time")
        }
    }

    private static let profiles = FuzzTarget("suota-profiles", seeds: { profileTexts.map { Array($0.utf8) } })
    {
        input in
        let profiles: [SUOTAProfile]
        do throws(YAMLProblem) { profiles = try SUOTAProfile.reading(input) } catch {
            return try demand(!"\(error)".isEmpty, "a problem without text")
        }
        for profile in profiles {
            try demand((1...0xFFFF).contains(profile.blockSize ?? 1), "blocks of \(profile)")
            try demand((profile.bankSize ?? 1) > 0, "a bank of \(profile)")
        }
        try demand(Set(profiles.map(\.name)).count == profiles.count, "a name appears twice")
    }

    /// The input is a file's name, and a key's name inside a file.
    private static let reports = FuzzTarget("reports", seeds: { names.map { Array($0.utf8) } }) { input in
        let name = String(decoding: input, as: UTF8.self)
        let gate = Gate()
        let reports = [
            gate.report(on: input, named: name),
            gate.report(unreadable: name, code: .file.fileNotFound, name),
        ]
        let xml = JUnitReport.text(reports, seconds: 0)
        for scalar in xml.unicodeScalars {
            let isAllowed = scalar.value >= 0x20 || scalar == "\n" || scalar == "\t"
            try demand(
                isAllowed && scalar.value != 0xFFFE && scalar.value != 0xFFFF, "U+\(scalar.value) in XML")
        }
        try demandWellFormed(xml)
        let sarif = SARIFReport.text(
            reports, from: SARIFReport.Origin(version: "1", folder: "/"), words: { _ in name })
        _ = try JSONDecoder().decode(SARIFSkeleton.self, from: Data(sarif.utf8))
    }

    /// A name is text in a page, and one cell of a sheet.
    private static let pages = FuzzTarget("pages", seeds: { names.map { Array($0.utf8) } }) { input in
        let name = String(decoding: input, as: UTF8.self)
        func page(_ name: String) -> String {
            let text = HTML.element("p", [.init("title", name)], [HTML(name), .foreign(name), "\(name)"])
            return HTMLPage.text(title: name, kind: "a test", style: "", script: "", body: [text])
        }
        for mark in "<>\"'" {
            let counts = ["", name].map { page($0).unicodeScalars.count { $0 == mark.unicodeScalars.first } }
            try demand(counts[0] == counts[1], "\(mark) of a name is in the markup")
        }
        let line = SpreadsheetText([name, "x"]).line
        try demand(line.unicodeScalars.first.map { !"=+@".unicodeScalars.contains($0) } ?? true, "a formula")
    }

    /// Keys of a live view, in two pieces and in one.
    private static let keyboard = FuzzTarget("keyboard", seeds: { keystrokes }) { input in
        var (one, two) = (KeyReader(), KeyReader())
        let keys = one.keys(input)
        try demand(keys.count <= input.count, "more keys than bytes")
        let half = input.count / 2
        _ = two.keys(Array(input.prefix(half)))
        _ = two.keys(Array(input.dropFirst(half)))
        for reader in [one, two] {
            var reader = reader
            _ = reader.keys(Array("\u{1B}[A~~~~~~~~~~~~~~~~~~".utf8))
            try demand(reader.keys(Array("q".utf8)) == [.character("q")], "it hangs")
        }
    }

    /// Every byte is a piece of YAML, so that anchors, aliases and keys that are collections occur.
    private static let aliases = FuzzTarget("yaml-aliases", seeds: { documents }) { input in
        let text = input.prefix(200).map { pieces[Int($0) % pieces.count] }.joined()
        _ = try? YAMLValue(parsing: Array(text.utf8))
        _ = try? RuleSet(parsing: Array(text.utf8))
    }

    /// ASCII-only JSON, as most programs write it, decodes to the original text.
    private static let json = FuzzTarget("json-text", seeds: { documents }) { input in
        let text = String(decoding: input, as: UTF8.self)
        let units = text.utf16.map { "\\u" + HexText.digits($0) }.joined()
        let members = try YAMLValue(parsing: Array("{\"\(units)\": [\"\(units)\", null]}".utf8)).members()
        try demand(members.map(\.key) == [text], "another key")
        try demand(try members[0].value.list()[0].text() == text, "another text")
        _ = try? YAMLValue(parsing: Array("{\(text)}".utf8))
    }

    /// A file that `--key-file` and the options for keys name.
    private static let keyFiles = FuzzTarget("key-files", seeds: { keys }) { input in
        let text = KeyText.text(of: input)
        let digits = String(text.unicodeScalars.filter { !$0.properties.isWhitespace })
        let isKey =
            digits.utf8.count == 32 && digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        do {
            let key = try EncryptionOptions.block(text, of: "file", exit: .badFile)
            try demand(isKey && HexText.encode(key) == digits.lowercased(), "a key that is not in the file")
        } catch let failure as CommandFailure {
            let reasons = [
                "is not hexadecimal; 32 digits are needed", "has \(digits.utf8.count) digits; 32 are needed",
            ]
            try demand(!isKey && reasons.map { "file \($0)" }.contains(failure.message), failure.message)
        }
        if isKey || (try? NordicPublicKey(text: text)) != nil || (try? NordicPrivateKey(text: text)) != nil {
            try demand(OutputRule.isKey(input, ofFileWith: input.count), "a key that is written over")
        }
        // The file is truncated meanwhile.
        _ = OutputRule.isKey(Array(input.prefix(3)), ofFileWith: input.count)
    }

    private struct SARIFSkeleton: Decodable {
        struct Run: Decodable {}
        let version: String
        let runs: [Run]
    }

    /// Elements are closed in order, and no text has a bare `<` or `&`. Checked byte by byte, since a character next to
    /// a bracket may combine with it.
    private static func demandWellFormed(_ xml: String) throws(Violation) {
        var open: [String] = []
        var rest = Array(xml.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            try demand(isText(rest[..<start]), "a bare & in front of \(start)")
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else {
                throw Violation(description: "an element without an end")
            }
            let tag = rest[(start + 1)..<end]
            rest = rest[(end + 1)...]
            if tag.first == UInt8(ascii: "?") { continue }
            try demand(isText(tag) && !tag.contains(UInt8(ascii: "<")), "a bare character after \(start)")
            let slash = UInt8(ascii: "/")
            let name = String(
                decoding: tag.drop { $0 == slash }.prefix { $0 != slash && $0 != UInt8(ascii: " ") },
                as: UTF8.self)
            if tag.first == slash {
                try demand(open.popLast() == name, "</\(name)> out of its place")
            } else if tag.last != slash {
                open.append(name)
            }
        }
        try demand(open.isEmpty, "\(open) without an end")
    }

    private static func isText(_ text: ArraySlice<UInt8>) -> Bool {
        let entities = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"]
        return text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { rest in entities.contains { rest.starts(with: $0.utf8) } }
    }

    private static let devices = [
        [
            "11 06 0100 0300 0f18 0400 0700 59fe", "01 10 0800 0a", "09 07 0200 02 0300 192a",
            "01 08 0400 0a", "0b 5d",
            "09 07 0500 1a 0600 01aa", "01 08 0600 0a", "01 0a 0600 0f", "05 01 0700 0129", "0b 446f6f72",
        ],
        [
            "11 06 0100 ffff 0018", "09 07 0200 02 0300 002a", "09 07 0100 02 ffff 002a", "0b",
            "05 01 ffff 0129",
        ],
        ["1b 0300 07", "11 06 0100 0300 0f18", "01 0a 0000 0a", "01 10 0400 0a", "13"],
    ].map { $0.map { [UInt8](hex: $0) } }

    private static let texts: [[UInt8]] = [
        (0, "F0:0D:BE:AC:10:00"), (0, "F0:0D:BE:AC:10:00/public"), (0, "name:Tag 6"),
        (0, "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/2"), (1, "rssi>-70"), (1, "name!=Shelf*"),
        (1, "service=FE59"), (1, "company=0x004C"), (1, "connectable=yes"), (2, "05060300"),
        (2, "spi miso=P0_5 mosi=P0_6 cs=P0_3 clk=P0_0"), (3, "1700000000"), (3, "2026-01-31T12:00:00Z"),
    ].map { [$0.0] + Array($0.1.utf8) }

    private static let profileTexts = [
        "profiles: 1\nsuota:\n  - {name: a, pins: '05060300', bank: 1, block_size: 240}\n",
        "profiles: 1\nsuota: [{name: b, pins: any, bank_size: 1000, checks_signature: true}]", "profiles: 2",
    ]

    private static let names = [
        "a.zip", "a\u{1B}[8m.zip", "<&\"'>]]>", "a\u{202E}b\u{0}c", "\u{FFFE}\u{1F468}\u{200D}\u{1F469}",
        "\n\r\t",
    ]

    private static let keystrokes = [
        "jk/p\u{1B}[A\u{1B}OB\u{1B}[5~", "é東\u{1B}", "\u{1B}[[[[[[[[[[[[[[[[[[[[[",
    ].map {
        Array($0.utf8)
    }

    private static let keys =
        [
            "00112233445566778899aabbccddeeff\n", "00112233 44556677\r\n8899AABB CCDDEEFF",
            "\u{FEFF}00112233445566778899aabbccddeeff", " \u{301}00112233445566778899aabbccddeeff", "001122",
            "\u{FEFF}" + keyDigits,
        ].map { Array($0.utf8) } + [[0x30, 0x82, 1, 1, 1]]

    private static let pieces = [
        "a: ", "&a ", "*a", "\n", "  ", "- ", "? ", ": ", "[", "]", "{", "}", ", ", "<<: ", "x", "&b ", "*b",
        "'", "\"",
        "1", "null", "!!set ", "| ", "--- ", "# ", "\t", "...", "&a [", "*a, ",
    ]

    /// Aliases nine wide and eleven deep as a key; an anchor inside itself; a merge of itself.
    private static let documents: [[UInt8]] = [
        [0, 27, 14, 9, 3] + (0..<11).flatMap { _ in [0, 27, 28, 28, 28, 2, 9, 3] as [UInt8] } + [
            6, 2, 3, 7, 19,
        ],
        [0, 1, 8, 2, 9], [1, 10, 13, 2, 11], [5, 15, 14, 3, 5, 16],
    ]
}
