public import Tray
public import Work

/// A published catalogue.
public struct CatalogueSummary: Hashable, Sendable {
    /// Its version.
    public let version: Int64
    /// When it was published, by the work server's clock.
    public let published: RecordedTime
    /// Whether it was withdrawn, so that no further unit starts with it.
    public let isWithdrawn: Bool
}

extension WorkServerAdmin {
    /// The published catalogues, the latest first.
    public func catalogues(most: Int = 100) async throws(WorkError) -> [CatalogueSummary] {
        let rows = try await session.run(
            """
            SELECT version, recall IS NOT NULL AS is_withdrawn, \(milliseconds("published"))
            FROM beacon_dfu.catalogues ORDER BY version DESC LIMIT $1
            """, [.integer(Int64(most))], during: "reading catalogues")
        return try reading { () throws(PostgresError) in
            var catalogues: [CatalogueSummary] = []
            for row in rows {
                catalogues.append(
                    CatalogueSummary(
                        version: try row.integer("version"), published: try row.time("published"),
                        isWithdrawn: try row.boolean("is_withdrawn")))
            }
            return catalogues
        }
    }
}
