/// A row of CSV (RFC 4180) that no spreadsheet takes for a formula: what beacons say comes from the air.
struct SpreadsheetText: Sendable {
    /// What a spreadsheet may execute (OWASP, CSV Injection).
    private static let dangerous: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    let line: String

    init(_ cells: [String?]) { line = cells.map { Self.cell($0 ?? "") }.joined(separator: ",") }

    /// Numbers stay numbers; anything else that begins like a formula gets an apostrophe, which spreadsheets hide.
    private static func cell(_ text: String) -> String {
        let isFormula = text.first.map(dangerous.contains) ?? false && Double(text) == nil
        let safe = (isFormula ? "'" : "") + text
        guard safe.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline || $0 == " " }) else {
            return safe
        }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
