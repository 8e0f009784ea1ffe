import BlueZ
import Bluetooth
import Bytes
import UpdateModel

/// A protocol's number in a log, a capture or another program, such as `secure:0B:06`, and its meaning.
struct RawNumber: Equatable, Sendable {
    let table: RawNumberTable
    let number: UInt8
    /// The extended error that follows `0B` in the answer of a Secure bootloader.
    var extended: UInt8?

    /// The possible numbers for `text`: one if it names a table, such as `legacy:06` or `secure:0B:06`; otherwise, such
    /// as `06`, one for every table that has it. Digits are hexadecimal, with or without `0x`.
    static func read(_ text: String) -> [RawNumber] {
        var parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let named = parts.first.flatMap(RawNumberTable.init(rawValue:))
        if named != nil { parts.removeFirst() }
        // A word without a table may be a search word.
        guard named != nil || parts.first?.first?.isNumber == true, (1...2).contains(parts.count) else {
            return []
        }
        let numbers = parts.compactMap(byte)
        guard numbers.count == parts.count else { return [] }
        guard parts.count == 1 else {
            let hasMore = (named ?? .secure) == .secure && numbers[0] == RawNumberTable.extendedError
            return hasMore ? [RawNumber(table: .secure, number: numbers[0], extended: numbers[1])] : []
        }
        if let named { return [RawNumber(table: named, number: numbers[0])] }
        return RawNumberTable.allCases.map { RawNumber(table: $0, number: numbers[0]) }
            .filter { $0.entry != nil }
    }

    private static func byte(_ text: String) -> UInt8? {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard (1...2).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return nil
        }
        return UInt8(digits, radix: 16)
    }

    /// Its meaning, and the failure codes that it leads to; nil if its table does not have it.
    var entry: (meaning: String, codes: [FailureCode])? {
        switch (table, extended) {
        case (.att, _): Self.named("\(ATTStatus(rawValue: number))", unless: "reserved error")
        case (.hci, _): Self.named("\(HCIStatus(rawValue: number))", unless: "error")
        case (_, let extended?): RawNumberTable.extendedErrors[extended]
        case (_, nil): table.entries[number]
        }
    }

    private static func named(_ words: String, unless beginning: String) -> (String, [FailureCode])? {
        words.hasPrefix(beginning) ? nil : (words, [])
    }

    /// The number in the input format.
    var text: String {
        let digits = [number] + (extended.map { [$0] } ?? [])
        return table.rawValue + digits.map { ":" + HexText.digits($0, uppercase: true) }.joined()
    }
}
