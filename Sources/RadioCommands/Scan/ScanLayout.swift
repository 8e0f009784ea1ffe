/// The layout of a scan's result.
package struct ScanLayout: Sendable {
    var columns = ScanColumn.standard
    /// Whether rows are cut to the terminal's width.
    var isCut = true
    var isCSV = false
    /// Whether JSON events include sensor values.
    var hasSensors = false
    /// The source of the column `update`.
    var updates: UpdateLookup?

    var table: SightingTable { SightingTable(columns, updates: updates) }
}
