import BlueZ
import Bluetooth
import Bytes
import Firmware
import UpdateModel

/// A protocol's number in a log, a capture or another program, such as `secure:0B:06`, and its meaning.
struct RawNumber: Sendable {
    let table: ResultTable
    let number: UInt8
    /// The second number, which details the table's code for extended errors; nil for any other code.
    var extended: UInt8?

    /// The protocols of the vendors, then those of Bluetooth.
    static let tables: [ResultTable] = {
        let attribute = ResultTable("att", "an error of the Attribute Protocol", example: "0F") {
            words(for: ATTStatus(rawValue: $0), unlessBeginningWith: "reserved error")
        }
        let controller = ResultTable(
            "hci", "an error of a Bluetooth controller, or the reason why a link ended", example: "3E"
        ) { words(for: HCIStatus(rawValue: $0), unlessBeginningWith: "error") }
        return KnownVendors.resultTables + [attribute, controller]
    }()

    private static func words(
        for status: some CustomStringConvertible, unlessBeginningWith beginning: String
    ) -> String? {
        let words = "\(status)"
        return words.hasPrefix(beginning) ? nil : words
    }

    /// The possible numbers for `text`: one if it names a table, such as `legacy:06` or `secure:0B:06`; otherwise, such
    /// as `06`, one for every table that has it. Digits are as the table writes them; after `0x` hexadecimal.
    static func read(_ text: String) -> [RawNumber] {
        var parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let named = tables.filter { $0.name == parts.first }
        if !named.isEmpty { parts.removeFirst() }
        // A word without a table may be a search word.
        guard !named.isEmpty || parts.first?.first?.isNumber == true, (1...2).contains(parts.count) else {
            return []
        }
        let among = named.isEmpty ? tables : named
        return among.compactMap { table in
            let numbers = parts.compactMap { byte($0, in: table) }
            guard numbers.count == parts.count else { return nil }
            guard parts.count == 1 else {
                return table.extended?.by == numbers[0]
                    ? RawNumber(table: table, number: numbers[0], extended: numbers[1]) : nil
            }
            let number = RawNumber(table: table, number: numbers[0])
            return !named.isEmpty || number.entry != nil ? number : nil
        }
    }

    private static func byte(_ text: String, in table: ResultTable) -> UInt8? {
        let isDecimal = table.isDecimal && !text.hasPrefix("0x")
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard (1...(isDecimal ? 3 : 2)).contains(digits.count),
            digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        return UInt8(digits, radix: isDecimal ? 10 : 16)
    }

    /// The number's meaning, and the failure codes that it leads to; nil if its table does not have it.
    var entry: ResultTable.Entry? { extended.map { table.extended?.entries[$0] } ?? table.entries[number] }

    /// The number in the input format.
    var text: String {
        guard !table.isDecimal else { return "\(table.name):\(number)" }
        let digits = [number] + (extended.map { [$0] } ?? [])
        return table.name + digits.map { ":" + HexText.digits($0, uppercase: true) }.joined()
    }
}

extension ResultTable {
    /// The table of a Bluetooth specification, whose numbers have these `words`.
    fileprivate init(
        _ name: String, _ title: String, example: String, words: @escaping @Sendable (UInt8) -> String?
    ) {
        self.init(
            name, title, example: example,
            Dictionary(
                uniqueKeysWithValues: (UInt8.min ... .max).compactMap { number in
                    words(number).map { (number, Entry($0)) }
                }))
    }
}
