/// How the result of a scan is shown.
struct ScanLayout: Sendable {
    var columns = ScanColumn.standard
    /// Whether rows are cut to the terminal's width.
    var isCut = true
    var isCSV = false
    /// Whether JSON events have what sensors say.
    var hasSensors = false

    var table: SightingTable { SightingTable(columns) }
}
