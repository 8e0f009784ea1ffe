import Bytes
import FoundationEssentials

@testable import CommandKit

extension FuzzTarget {
    /// Outside text on its way to terminals, logs and JSON.
    static let shown = [visibleText, terminalText, pathText]

    /// The first byte defines where the text is split.
    private static let visibleText = FuzzTarget("visible-text", seeds: { texts.map { [3] + $0 } }) { input in
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        let shown = VisibleText.escaped(text)
        try demandClean(shown)
        try demandSame(VisibleText.escaped(shown), shown, "a second time")
        // `\u{1b}` for one byte.
        try demand(shown.utf8.count <= 6 * text.utf8.count, "\(shown.utf8.count) of \(text.utf8.count) bytes")
        let place = Int(input.first ?? 0)
        let parts = [text.unicodeScalars.prefix(place), text.unicodeScalars.dropFirst(place)]
        try demandSame(parts.map { VisibleText.escaped(String($0)) }.joined(), shown, "in two parts")
        if !text.unicodeScalars.contains(where: { VisibleText.isInvisible($0) || isForeign($0) }) {
            try demandSame(shown, text, "with nothing to escape")
        }
        let line = JSONLine("x", ["name": .text(text)]).text
        try demand(!line.unicodeScalars.contains(where: isForbidden), line)
        let members = try JSONDecoder().decode(Members.self, from: Data(line.utf8))
        try demandSame(members.name ?? "", text, "from JSON")
    }

    /// The first three bytes define where the text is split, the number of cells, and the colours.
    private static let terminalText = FuzzTarget(
        "terminal-text", seeds: { texts.enumerated().map { [2, UInt8($0), UInt8($0)] + $1 } }
    ) { input in
        let scalars = String(decoding: input.dropFirst(3), as: UTF8.self).unicodeScalars
        let numbers = (input.prefix(3) + [0, 0, 0]).map(Int.init)
        let (place, cells) = (numbers[0], numbers[1] - 1)
        let colours: [TerminalText.Colour] = [.bold, .dim, .red, .green, .yellow]
        let first = TerminalText(String(scalars.prefix(place))).painted(colours[numbers[2] % colours.count])
        let rest = String(scalars.dropFirst(place))
        let text: TerminalText = "\(first) \(rest)"
        let plain = try plainText(text)
        try demand(text.width == first.width + 1 + TerminalText(rest).width, "\(text.width) cells in all")
        try demand(text.width == TerminalText(plain).width, "colours that take cells")

        let clipped = text.clipped(to: cells)
        try demand(clipped.width <= max(0, cells), "\(clipped.width) of \(cells) cells")
        if text.width <= cells { try demand(clipped == text, "cut, and it fits") }
        let kept = try plainText(clipped)
        try demand(
            plain.utf8.starts(with: kept.utf8)
                || kept.hasSuffix("…") && plain.utf8.starts(with: kept.utf8.dropLast("…".utf8.count)),
            "\(kept) is not a beginning")
        try demand(text.fitted(to: cells).width == max(0, cells), "fitted to \(cells) cells")

        let pieces = try text.wrapped(to: cells).map(plainText)
        try demandSame(
            pieces.joined().filter { $0 != " " }, plain.filter { $0 != " " }, "in \(pieces.count) lines")
        for piece in pieces where TerminalText(piece).width > max(0, cells) {
            try demand(!piece.drop { $0 == " " }.contains(" "), "a line that is too long: \(piece)")
        }
    }

    /// A file's name, and its text.
    private static let pathText = FuzzTarget("path-text", seeds: { texts }) { input in
        let name = input.filter { $0 != 0 && $0 != UInt8(ascii: "/") }
        let text = PathText.text(of: name)
        try demand(PathText.bytes(of: text) == name, "another name than \(text)")
        try demand(text.systemPath == name.map { CChar(bitPattern: $0) } + [0], "another path than \(text)")
        let path = "\(text)/\(text)"
        try demand(PathText.bytes(of: path) == name + [UInt8(ascii: "/")] + name, "another path than \(path)")
        if let ordinary = String(validating: name, as: UTF8.self),
            !ordinary.unicodeScalars.contains(where: isForeign)
        {
            try demandSame(text, ordinary, "of UTF-8")
        } else {
            try demand(PathText.hasForeignBytes(text), "\(text) is UTF-8")
        }
        let shown = PathText.shown(text)
        try demand(!PathText.hasForeignBytes(shown), "foreign bytes in \(shown)")
        try demandSame(PathText.shown(shown), shown, "a second time")
        try demandClean(VisibleText.escaped(text))
        let line = JSONLine("x", ["file": .text(text)]).text
        try demandClean(line)
        let members = try JSONDecoder().decode(Members.self, from: Data(line.utf8))
        try demandSame(members.file ?? "", shown, "from JSON")
        let bytes = try members.fileHex.map { try HexText.decode($0) } ?? Array((members.file ?? "").utf8)
        try demand(bytes == name, "another name in \(line)")
    }

    private struct Members: Decodable {
        var name: String?
        var file: String?
        var fileHex: String?

        enum CodingKeys: String, CodingKey {
            case name, file
            case fileHex = "file_hex"
        }
    }

    /// `text` without our colours; nothing else in it may be a control sequence.
    private static func plainText(_ text: TerminalText) throws(Violation) -> String {
        var plain = ""
        for (index, piece) in text.rendered.split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .enumerated()
        {
            let colour = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m"].first {
                piece.utf8.starts(with: $0.utf8)
            }
            try demand(index == 0 || colour != nil, "no colour: \(piece)")
            plain += String(piece.unicodeScalars.dropFirst(index == 0 ? 0 : colour?.utf8.count ?? 0))
        }
        try demandClean(plain)
        return plain
    }

    private static func demandClean(_ text: String) throws(Violation) {
        let found = text.unicodeScalars.first { isForbidden($0) || isForeign($0) }
        try demand(found == nil, "U+\(HexText.digits(found?.value ?? 0)) in \(text)")
    }

    /// Compared as bytes: Swift also treats canonically equivalent texts as equal.
    private static func demandSame(_ one: String, _ other: String, _ place: String) throws(Violation) {
        try demand(one.utf8.elementsEqual(other.utf8), "\(one), and not \(other), \(place)")
    }

    /// The form that `PathText` gives to bytes that are not UTF-8.
    private static func isForeign(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10FF80 }

    /// By number: controls, directions, characters without width, line separators, tags, non-characters.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2064,
            0x2066...0x206F, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB, 0x1D173...0x1D17A, 0xE0001,
            0xE0020...0xE007F:
            true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static let texts: [[UInt8]] =
        [
            "Shelf 3, Gerät", "\u{1B}[31mred\u{1B}[0m and \u{9B}2J", "a\r\n\tb\u{7}\u{2028}c",
            "\u{202E}txt.exe\u{2066}", "日本語 e\u{301} 🔋\u{200D}", " \u{301} indented by one",
            "    a b  c   d ",
            "\u{FEFF}\u{AD}\u{E0041}\u{FFFE}\\u{1b}", "\u{10FF80}\u{10FFFF}\u{10FF7F}",
        ].map { Array($0.utf8) } + [
            [0x62, 0xFF, 0x2E], [0xC3, 0x28, 0xC3], [0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80],
            [0xE2, 0x82, 0xC0, 0xAF],
        ]
}
