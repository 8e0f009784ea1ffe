import Tray
public import Work

extension PostgresWork {
    /// Limits of one statement; larger deliveries are split into several, each stored or not as a whole.
    private enum Batch {
        static let results = 200
        static let bytes = 8 << 20
    }

    /// The largest body that the work server accepts, in bytes.
    public static let largestBody = 1 << 20

    /// Delivers results in batches, each in one transaction.
    public func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer] {
        let during = "delivering results"
        let station = try station(during)
        var answers: [DeliveryAnswer] = []
        var batch: [WorkResult] = []
        var bytes = 0
        for result in results {
            let size = min(result.body.utf8.count, Self.largestBody)
            if batch.count == Batch.results || bytes + size > Batch.bytes {
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
        // A body that is too large is not sent; the work server refuses the missing body with the same message.
        let bodies = results.map { $0.body.utf8.count <= Self.largestBody ? $0.body : nil }
        let rows = try await session.run(
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
            ], during: during)
        return try reading { () throws(PostgresError) in
            guard rows.count == results.count else {
                throw PostgresError(
                    .answer("\(rows.count) rows for \(results.count) results"), during: during)
            }
            var answers: [DeliveryAnswer] = []
            for row in rows { answers.append(try DeliveryAnswer(row)) }
            return answers
        }
    }
}

extension DeliveryAnswer {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        switch try row.text("answer") {
        case "stored": self = .stored(try Status(row))
        case "duplicate": self = .duplicate(try Status(row))
        case "refused":
            self = .refused(code: try row.text("code"), message: try row.textIfAny("message") ?? "")
        case let answer: throw row.flaw("unknown answer '\(answer)' to a result")
        }
    }
}

extension Status {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        let status = try row.text("standing")
        guard let known = Status(rawValue: status) else {
            throw row.flaw("unknown standing '\(status)'")
        }
        self = known
    }
}
