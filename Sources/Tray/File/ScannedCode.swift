import Bluetooth
import Bytes
public import Identity

/// A code that a scanner has read from a beacon's label, or one line of a list of codes.
public struct ScannedCode: Hashable, Sendable {
    /// The slot's label; nil for the next empty slot.
    public let slot: String?
    /// The beacon that the code selects.
    public let device: DeviceSelector

    init(_ device: DeviceSelector, slot: String? = nil) {
        self.slot = slot
        self.device = device
    }

    /// Reads a line: `CODE`, or `SLOT,CODE` with a comma, a semicolon or a tab; either field may be in double quotes.
    ///
    /// A code is an address with or without separators between its bytes, a selector as for `--device`, or otherwise
    /// the vendor's id.
    public init(line: String) throws(ScannedCodeError) {
        // Some scanners end with a tab.
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

    /// The longest label or code in UTF-8: no selector is longer.
    private static let mostBytes = 128

    private static func device(_ code: String) -> DeviceSelector? {
        if let address = address(code) { return .bareAddress(address) }
        let isSelector =
            ["name:", "id:", "ibeacon:"].contains { code.hasPrefix($0) }
            || ["/public", "/random"].contains { code.hasSuffix($0) }
        return isSelector ? DeviceSelector(code) : .id(code)
    }

    /// The address of 12 hexadecimal digits, in one piece or in groups of two or four.
    private static func address(_ code: String) -> DeviceAddress? {
        let groups = code.split(omittingEmptySubsequences: false) { ":-. ".contains($0) }
        let digits = groups.joined()
        guard digits.utf8.count == 12, [1, 3, 6].contains(groups.count),
            groups.allSatisfy({ $0.count == groups[0].count }), let bytes = try? HexText.decode(digits)
        else { return nil }
        return DeviceAddress(bytes)
    }
}
