public import Work

extension PostgresWork {
    /// Claims units, in one transaction.
    public func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer {
        let during = "claiming units"
        let station = try station(during)
        let keys = request.beacons?.enumerated().flatMap { number, beacon in
            beacon.keys.map { (key: $0, of: number) }
        }
        let rows = try await session.run(
            "SELECT * FROM beacon_dfu.claim($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .integer(Int64(WorkServerSchema.spokenProtocol)), .text(request.order), .text(station.name),
                .text(station.incarnation), keys.map { .array($0.map(\.key)) } ?? .null,
                keys.map { .array($0.map { "\($0.of)" }) } ?? .null,
                .integer(Int64(Int32(clamping: request.most))), .integer(request.lease.milliseconds),
            ], during: during)
        return try reading { () throws(PostgresError) in try ClaimAnswer(rows, during) }
    }

    /// Renews all claims at once.
    public func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal] {
        let during = "renewing claims"
        let station = try station(during)
        guard !claims.isEmpty else { return [] }
        let rows = try await session.run(
            "SELECT place, lease_ms FROM beacon_dfu.renew($1, $2, $3, $4, $5, $6) ORDER BY place",
            [.text(station.name), .text(station.incarnation)] + claims.arrays
                + [.integer(lease.milliseconds)], during: during)
        return try reading { () throws(PostgresError) in
            guard rows.count == claims.count else {
                throw PostgresError(.answer("\(rows.count) rows for \(claims.count) claims"), during: during)
            }
            var renewals: [Renewal] = []
            for row in rows {
                let length = try row.integerIfAny("lease_ms")
                renewals.append(length.map { .renewed(for: .milliseconds($0)) } ?? .lost)
            }
            return renewals
        }
    }

    /// Releases units; those that the station no longer has are skipped.
    public func release(_ claims: [WorkClaim]) async throws(WorkError) {
        let during = "releasing units"
        let station = try station(during)
        guard !claims.isEmpty else { return }
        _ = try await session.run(
            "SELECT beacon_dfu.release($1, $2, $3, $4, $5)",
            [.text(station.name), .text(station.incarnation)] + claims.arrays, during: during)
    }
}

extension [WorkClaim] {
    /// Orders, keys and epochs, as parameters.
    fileprivate var arrays: [PostgresValue] {
        [.array(map(\.order)), .array(map(\.key)), .array(map { "\($0.epoch)" })]
    }
}
