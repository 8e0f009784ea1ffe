import Bluetooth
import Bytes
package import Firmware

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
