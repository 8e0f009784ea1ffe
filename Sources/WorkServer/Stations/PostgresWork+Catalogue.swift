import Bytes
public import Work

extension PostgresWork {
    /// The latest catalogue; also if it is version `known` and something in it was recalled.
    public func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue? {
        let latest = try await session.catalogue(nil)
        guard let latest, latest.version == known, latest.recall == nil, latest.recalledFiles.isEmpty else {
            return latest
        }
        return nil
    }

    /// The catalogue published as `version`, which an order may name even if there is a later one.
    public func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue {
        guard let catalogue = try await session.catalogue(version) else {
            throw WorkError(
                .refused, "catalogue-unknown", during: "reading the catalogue",
                message: "there is no version \(version) of the catalogue")
        }
        return catalogue
    }

    /// The file with this SHA-256; its hash is verified.
    public func file(_ sha256: String) async throws(WorkError) -> [UInt8] {
        let during = "reading a file"
        // 16 MiB over a slow connection take a while.
        let rows = try await session.transaction(during: during, within: .seconds(120)) {
            transaction throws(PostgresError) in
            try await transaction.run(
                "SELECT beacon_dfu.file($1) AS body", [.text(sha256)], format: .binary)
        }
        let bytes = try reading { () throws(PostgresError) in try rows.only(during).bytes("body") }
        let found = HexText.encode(SHA256Digest.digest(bytes))
        guard found == sha256.lowercased() else {
            throw WorkError(
                .notUnderstood, "file-damaged", during: during,
                message: "the file received for \(sha256) has the hash \(found)")
        }
        return bytes
    }
}

extension WorkServerSession {
    /// The catalogue of `version`, or the latest; nil if there is none.
    func catalogue(_ version: Int64?) async throws(WorkError) -> PublishedCatalogue? {
        let rows = try await run(
            "SELECT kind, version, path, sha256, why FROM beacon_dfu.catalogue($1)", [.integer(version)],
            during: "reading the catalogue")
        return try reading { () throws(PostgresError) in
            var catalogue: PublishedCatalogue?
            for row in rows {
                switch try row.text("kind") {
                case "catalogue":
                    catalogue = PublishedCatalogue(
                        version: try row.integer("version"), files: [], recall: try row.textIfAny("why"))
                case "file":
                    catalogue?.files.append(.init(path: try row.text("path"), sha256: try row.text("sha256")))
                case "recalled": catalogue?.recalledFiles[try row.text("sha256")] = try row.text("why")
                case let kind: throw row.flaw("unknown row kind '\(kind)'")
                }
            }
            return catalogue
        }
    }
}
