/// A row of CSV (RFC 4180) with invisible characters escaped, and without cells that a spreadsheet would run as formulas:
/// the content comes from the air. Scalars are compared, because spreadsheets compare single code points.
public struct SpreadsheetText: Sendable {
    /// The characters that may start a formula (OWASP, CSV Injection).
    private static let dangerous = Set("=+-@＝＋－＠".unicodeScalars)
    private static let quoted = Set(",\" ".unicodeScalars)

    /// The row, without an end of line.
    public let line: String

    /// The row of `cells`; nil is an empty cell.
    public init(_ cells: [String?]) { line = cells.map { Self.cell($0 ?? "") }.joined(separator: ",") }

    /// Numbers stay numbers; any other text that begins like a formula gets an apostrophe, which spreadsheets hide.
    private static func cell(_ content: String) -> String {
        let text = VisibleText.escaped(content)
        let isFormula = text.unicodeScalars.first.map(dangerous.contains) ?? false && Double(text) == nil
        let safe = ((isFormula ? "'" : "") + text).unicodeScalars
        guard safe.contains(where: quoted.contains) else { return String(safe) }
        var cell = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in safe {
            if scalar == "\"" { cell.append(scalar) }
            cell.append(scalar)
        }
        cell.append("\"")
        return String(cell)
    }
}
