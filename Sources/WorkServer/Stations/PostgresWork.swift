import Bytes
import Synchronization
import Tray
import UpdateModel
package import Work

/// Work from a work server, a PostgreSQL database that several benches share. (docs/formats/station-engine.md)
///
/// No call but `file` takes longer than the session's timeout. Calls about claims and results need a heartbeat first.
package final class PostgresWork: WorkSource {
    let session: WorkServerSession
    private let identity = Mutex<StationIdentity?>(nil)

    package init(over session: WorkServerSession) { self.session = session }

    package func close() async { await session.close() }

    func station(_ during: String) throws(WorkError) -> StationIdentity {
        guard let station = identity.withLock({ $0 }) else {
            throw WorkError(
                .unready, .workServer.stationNotGreeted, during: during,
                message: "the work server has received no heartbeat yet", nextStep: "send a heartbeat first")
        }
        return station
    }

    /// Sends the station's heartbeat. The first one binds the station's name to the login.
    package func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply {
        let during = "sending a heartbeat"
        let heartbeatReply = try await session.row(
            """
            SELECT contiguous, clock_ahead_ms, claim_code, claim_message, claim_hint
            FROM beacon_dfu.greet($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .integer(Int64(WorkServerSchema.protocolVersion)), .text(report.station.name),
                .text(report.station.incarnation), .text(report.station.machine), .text(report.program),
                .integer(report.lastSequence), .integer(Int64(report.waiting)),
                .integer(report.oldestWaiting?.milliseconds), .integer(report.catalogue),
                // The details of the station, a JSON object: this program sends none.
                .text("{}"), .integer(report.clock.milliseconds),
            ], during: during
        ) { row throws(PostgresError) in
            let flaw = try row.textIfAny("claim_code").map { code throws(PostgresError) in
                WorkError(
                    .refused, FailureCode(named: code), during: during,
                    message: try row.textIfAny("claim_message") ?? code,
                    nextStep: try row.textIfAny("claim_hint"))
            }
            return HeartbeatReply(
                contiguous: try row.integer("contiguous"),
                clockAhead: .milliseconds(try row.integer("clock_ahead_ms")), claimRefusal: flaw)
        }
        identity.withLock { $0 = report.station }
        return heartbeatReply
    }

    /// Limits of one statement, in results and in bytes of their bodies. Larger deliveries are split; each part is
    /// stored completely or not at all.
    private static let (mostResults, mostBytes) = (200, 8 << 20)

    /// The largest body that the work server accepts, in bytes.
    package static let largestBody = 1 << 20

    package func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer] {
        let during = "delivering results"
        let station = try station(during)
        var answers: [DeliveryAnswer] = []
        var batch: [WorkResult] = []
        var bytes = 0
        for result in results {
            let size = min(result.body.utf8.count, Self.largestBody)
            if batch.count == Self.mostResults || bytes + size > Self.mostBytes {
                answers += try await deliver(batch[...], of: station, during)
                (batch, bytes) = ([], 0)
            }
            batch.append(result)
            bytes += size
        }
        return try await answers + deliver(batch[...], of: station, during)
    }

    private func deliver(
        _ results: ArraySlice<WorkResult>, of station: StationIdentity, _ during: String
    ) async throws(WorkError) -> [DeliveryAnswer] {
        guard !results.isEmpty else { return [] }
        // A body that is too large is sent as NULL, which the work server refuses with the same message.
        let bodies = results.map { $0.body.utf8.count <= Self.largestBody ? $0.body : nil }
        return try await session.answer(
            """
            SELECT place, answer, standing, code, message
            FROM beacon_dfu.deliver($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ORDER BY place
            """,
            [
                .text(station.name), .text(station.incarnation), .array(results.map(\.id)),
                .array(results.map { "\($0.sequence)" }), .array(results.map { $0.claim?.order ?? $0.order }),
                .array(results.map { $0.claim?.key ?? $0.key }),
                .array(results.map { $0.claim.map { "\($0.epoch)" } }),
                .array(results.map(\.outcome.rawValue)), .array(results.map(\.code)), .array(bodies),
                .array(results.map(\.sha256)), .array(results.map { "\($0.observed.milliseconds)" }),
            ], during: during
        ) { rows throws(PostgresError) in
            guard rows.count == results.count else {
                throw PostgresError(
                    .answer("\(rows.count) rows for \(results.count) results"), during: during)
            }
            return try rows.map(DeliveryAnswer.init)
        }
    }

    package func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer {
        let during = "claiming units"
        let station = try station(during)
        let keys = request.beacons?.enumerated().flatMap { number, beacon in
            beacon.keys.map { (key: $0, of: number) }
        }
        return try await session.answer(
            "SELECT * FROM beacon_dfu.claim($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .integer(Int64(WorkServerSchema.protocolVersion)), .text(request.order), .text(station.name),
                .text(station.incarnation), keys.map { .array($0.map(\.key)) } ?? .null,
                keys.map { .array($0.map { "\($0.of)" }) } ?? .null,
                .integer(Int64(Int32(clamping: request.most))), .integer(request.lease.milliseconds),
            ], during: during
        ) { rows throws(PostgresError) in try ClaimAnswer(rows, during) }
    }

    package func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal] {
        let during = "renewing claims"
        let station = try station(during)
        guard !claims.isEmpty else { return [] }
        return try await session.answer(
            "SELECT place, lease_ms FROM beacon_dfu.renew($1, $2, $3, $4, $5, $6) ORDER BY place",
            [.text(station.name), .text(station.incarnation)] + claims.arrays
                + [.integer(lease.milliseconds)], during: during
        ) { rows throws(PostgresError) in
            guard rows.count == claims.count else {
                throw PostgresError(.answer("\(rows.count) rows for \(claims.count) claims"), during: during)
            }
            return try rows.map { row throws(PostgresError) in
                try row.integerIfAny("lease_ms").map { .renewed(for: .milliseconds($0)) } ?? .lost
            }
        }
    }

    /// Releases units; skips those that the station no longer has.
    package func release(_ claims: [WorkClaim]) async throws(WorkError) {
        let during = "releasing units"
        let station = try station(during)
        guard !claims.isEmpty else { return }
        _ = try await session.run(
            "SELECT beacon_dfu.release($1, $2, $3, $4, $5)",
            [.text(station.name), .text(station.incarnation)] + claims.arrays, during: during)
    }

    package func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue? {
        let latest = try await session.catalogue(nil)
        guard let latest, latest.version == known, latest.recall == nil, latest.recalledFiles.isEmpty else {
            return latest
        }
        return nil
    }

    package func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue {
        guard let catalogue = try await session.catalogue(version) else {
            throw WorkError(
                .refused, .workServer.catalogueUnknown, during: "reading the catalogue",
                message: "there is no version \(version) of the catalogue")
        }
        return catalogue
    }

    package func file(_ sha256: String) async throws(WorkError) -> [UInt8] {
        let during = "reading a file"
        // A file may have 16 MiB, which take a while over a slow connection.
        let rows = try await session.transaction(during: during, within: .seconds(120)) {
            transaction throws(PostgresError) in
            try await transaction.run("SELECT beacon_dfu.file($1) AS body", [.text(sha256)], format: .binary)
        }
        let bytes = try reading { () throws(PostgresError) in try rows.only(during).bytes("body") }
        let found = SHA256Digest.text(of: bytes)
        guard found == sha256.lowercased() else {
            throw WorkError(
                .notUnderstood, .workServer.fileDamaged, during: during,
                message: "the file received for \(sha256) has the hash \(found)")
        }
        return bytes
    }
}

extension WorkServerSession {
    /// The catalogue of `version`, or the latest if it is nil; nil if there is none.
    func catalogue(_ version: Int64?) async throws(WorkError) -> PublishedCatalogue? {
        try await answer(
            "SELECT kind, version, path, sha256, why FROM beacon_dfu.catalogue($1)", [.integer(version)],
            during: "reading the catalogue"
        ) { rows throws(PostgresError) in
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

extension [WorkClaim] {
    fileprivate var arrays: [PostgresValue] {
        [.array(map(\.order)), .array(map(\.key)), .array(map { "\($0.epoch)" })]
    }
}

extension DeliveryAnswer {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        switch try row.text("answer") {
        case "stored": self = .stored(try row.enumeration("standing", "standing"))
        case "duplicate": self = .duplicate(try row.enumeration("standing", "standing"))
        case "refused":
            self = .refused(
                code: FailureCode(named: try row.text("code")), message: try row.textIfAny("message") ?? "")
        case let answer: throw row.flaw("unknown answer '\(answer)' to a result")
        }
    }
}
