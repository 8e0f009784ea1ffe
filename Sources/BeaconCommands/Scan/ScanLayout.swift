/// How the result of a scan is shown.
struct ScanLayout: Sendable {
    var columns = ScanColumn.standard
    /// Whether rows are cut to the terminal's width.
    var isCut = true
    var isCSV = false
    /// Whether JSON events have what sensors say.
    var hasSensors = false
    /// What updates are looked up in.
    var updates: UpdateLookup?

    var table: SightingTable { SightingTable(columns, updates: updates) }
}
