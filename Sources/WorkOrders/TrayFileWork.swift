/// A tray that is one bench's own: whatever is asked for is its, for good, and nobody else has to learn what became of it.
public struct TrayFileWork: WorkSource {
    /// Work by a tray file, or by a rule.
    public init() {}

    /// Misses nothing.
    public func sendHeartbeat(_ report: StationReport) -> HeartbeatReply { HeartbeatReply(contiguous: report.lastSequence) }

    /// Grants every beacon that is named, for good.
    public func claim(_ request: ClaimRequest) -> ClaimAnswer {
        let grants = (request.beacons ?? []).prefix(request.most).compactMap(\.keys.first).map { key in
            ClaimAnswer.Grant(
                WorkClaim(order: request.order, key: key, epoch: 1), lease: nil, wasBegun: false,
                selector: key)
        }
        return ClaimAnswer(
            order: WorkOrder(number: request.order, state: .open, firmware: .ofTray), grants: grants)
    }

    /// Grants all time there is.
    public func renew(_ claims: [WorkClaim], for lease: Duration) -> [Renewal] {
        claims.map { _ in .renewed(for: nil) }
    }

    /// Has nobody to give it to.
    public func release(_ claims: [WorkClaim]) {}

    /// Has nobody to tell.
    public func deliver(_ results: [WorkResult]) -> [DeliveryAnswer] {
        results.map { _ in .stored(.current) }
    }

    /// There is none.
    public func catalogue(since known: Int64?) -> PublishedCatalogue? { nil }

    /// There is none.
    public func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        throw WorkError(
            .refused, "catalogue-unknown", during: "reading the catalogue",
            message: "a tray file names its own catalogue")
    }

    /// There is none.
    public func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        throw WorkError(
            .refused, "file-unpublished", during: "fetching a file",
            message: "a tray file has its packages beside it")
    }
}
