import Bluetooth
import Bytes
package import Firmware

/// A list of codes, one in each line, as a scanner or a spreadsheet writes it.
package struct ScannedCodeList: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The line's number, from 1.
        package let line: Int
        package let code: ScannedCode
    }

    package let entries: [Entry]

    /// The largest list that is read, in bytes.
    package static let limit = 1 << 20

    /// Reads a list in UTF-8, with any line ends. Skips empty lines, and a heading `slot,code` or `code` in the first
    /// line that is not empty.
    package init(parsing text: [UInt8]) throws(ScannedCodeError) {
        guard text.count <= Self.limit else {
            throw ScannedCodeError(
                column: nil, "the list has \(text.count) bytes, at most \(Self.limit) allowed")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
        guard let words = String(validating: rest, as: UTF8.self) else {
            throw ScannedCodeError(column: nil, "the list is not UTF-8 text")
        }
        var entries: [Entry] = []
        var isFirst = true
        let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            defer { isFirst = false }
            do throws(ScannedCodeError) {
                if isFirst, try Self.isHeading(String(line)) { continue }
                entries.append(Entry(line: index + 1, code: try ScannedCode(line: String(line))))
            } catch {
                throw ScannedCodeError(line: index + 1, column: error.column, error.message)
            }
        }
        self.entries = entries
    }

    private static func isHeading(_ line: String) throws(ScannedCodeError) -> Bool {
        let words = try ScannedField.fields(of: line).map { $0.text.lowercased() }
        return words == ["slot", "code"] || words == ["code"]
    }
}

package struct ScannedCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the list, from 1; nil for a single code.
    package let line: Int?
    /// The column, from 1, in Unicode scalars; nil for a fault of the whole list.
    package let column: Int?
    package let message: String

    init(line: Int? = nil, column: Int?, _ message: String) {
        (self.line, self.column, self.message) = (line, column, message)
    }

    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : "\(place.joined(separator: ", ")): \(message)"
    }
}

/// A code that a scanner has read from a beacon's label, or one line of a list of codes.
package struct ScannedCode: Hashable, Sendable {
    /// The slot's label; nil for the next empty slot.
    package let slot: String?
    package let device: DeviceSelector

    init(_ device: DeviceSelector, slot: String? = nil) { (self.slot, self.device) = (slot, device) }

    /// Reads a line: `CODE`, or `SLOT,CODE` with a comma, a semicolon or a tab; either field may be in double quotes.
    ///
    /// A code is an address with or without separators between its bytes, or a selector as for `--device`. Any other
    /// code is a vendor's id.
    package init(line: String) throws(ScannedCodeError) {
        // Some scanners write a tab after the code.
        let end = line.lastIndex { !$0.isWhitespace }
        let fields = try ScannedField.fields(of: end.map { String(line[...$0]) } ?? "")
        guard let code = fields.last, fields.count <= 2 else {
            throw ScannedCodeError(column: 1, "a line is a code, or a slot and a code")
        }
        for (field, word) in zip(fields.reversed(), ["code", "slot"]) {
            if let flaw = TrayText.flaw(in: field.text, upTo: Self.mostBytes) {
                throw ScannedCodeError(column: field.column, "the \(word) \(flaw)")
            }
        }
        guard let device = Self.device(code.text) else {
            throw ScannedCodeError(column: code.column, DeviceSelector.flaw(in: code.text))
        }
        if let flaw = device.slotFlaw { throw ScannedCodeError(column: code.column, flaw) }
        self.init(device, slot: fields.count == 2 ? fields[0].text : nil)
    }

    /// The longest label or code, in bytes of UTF-8: no selector is longer.
    private static let mostBytes = 128

    private static func device(_ code: String) -> DeviceSelector? {
        if let address = address(code) { return .bareAddress(address) }
        let isSelector =
            ["name:", "id:", "ibeacon:"].contains { code.hasPrefix($0) }
            || ["/public", "/random"].contains { code.hasSuffix($0) }
        return isSelector ? DeviceSelector(code) : .id(code)
    }

    /// The address in `code`, if it consists of 12 hexadecimal digits, in one piece or in groups of two or four.
    private static func address(_ code: String) -> DeviceAddress? {
        let groups = code.split(omittingEmptySubsequences: false) { ":-. ".contains($0) }
        let digits = groups.joined()
        guard digits.utf8.count == 12, [1, 3, 6].contains(groups.count),
            groups.allSatisfy({ $0.count == groups[0].count }), let bytes = try? HexText.decode(digits)
        else { return nil }
        return DeviceAddress(bytes)
    }
}

/// A field of a line of comma-separated values (RFC 4180), as spreadsheets of all languages write them.
///
/// Reads by scalars: a quotation mark with a combining mark after it is still a quotation mark.
struct ScannedField: Equatable {
    /// The field's text without quotation marks, and without spaces around it.
    let text: String
    /// The first column, from 1, in Unicode scalars.
    let column: Int

    /// The fields of `line`, at least one.
    static func fields(of line: String) throws(ScannedCodeError) -> [ScannedField] {
        var rest = Array(line.unicodeScalars)[...]
        var fields: [ScannedField] = []
        while true {
            rest = rest.drop { $0.isBlank }
            let column = rest.startIndex + 1
            let text = rest.first == "\"" ? try quoted(from: &rest) : plain(from: &rest)
            fields.append(ScannedField(text: String(String.UnicodeScalarView(text)), column: column))
            guard rest.popFirst() != nil else { return fields }
        }
    }

    private static func plain(from rest: inout ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let end = rest.firstIndex { $0.isSeparator } ?? rest.endIndex
        var text = rest[..<end]
        rest = rest[end...]
        while text.last?.isBlank ?? false { text.removeLast() }
        return text
    }

    private static func quoted(
        from rest: inout ArraySlice<Unicode.Scalar>
    ) throws(ScannedCodeError) -> ArraySlice<Unicode.Scalar> {
        let column = rest.startIndex + 1
        var text: ArraySlice<Unicode.Scalar> = []
        rest.removeFirst()
        while let end = rest.firstIndex(of: "\"") {
            text += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == "\"" else {
                rest = rest.drop { $0.isBlank }
                guard rest.first?.isSeparator ?? true else {
                    throw ScannedCodeError(
                        column: rest.startIndex + 1, "after a quotation mark comes a comma or nothing")
                }
                return text
            }
            text.append(rest.removeFirst())
        }
        throw ScannedCodeError(column: column, "the quotation mark that ends this is missing")
    }
}

extension Unicode.Scalar {
    fileprivate var isSeparator: Bool { self == "," || self == ";" || self == "\t" }
    fileprivate var isBlank: Bool { properties.isWhitespace && self != "\t" }
}
