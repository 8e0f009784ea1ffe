/// The tray of a single bench: every requested unit is granted without end, and results go to no server.
public struct TrayFileWork: WorkSource {
    /// Work by a tray file, or by a rule.
    public init() {}

    /// Confirms all results.
    public func sendHeartbeat(_ report: StationReport) -> HeartbeatReply {
        HeartbeatReply(contiguous: report.lastSequence)
    }

    /// Grants every named beacon without end.
    public func claim(_ request: ClaimRequest) -> ClaimAnswer {
        let grants = (request.beacons ?? []).prefix(request.most).compactMap(\.keys.first).map { key in
            ClaimAnswer.Grant(
                WorkClaim(order: request.order, key: key, epoch: 1), lease: nil, wasBegun: false,
                selector: key)
        }
        return ClaimAnswer(
            order: WorkOrder(number: request.order, state: .open, firmware: .ofTray), grants: grants)
    }

    /// Renews without end.
    public func renew(_ claims: [WorkClaim], for lease: Duration) -> [Renewal] {
        claims.map { _ in .renewed(for: nil) }
    }

    /// Does nothing.
    public func release(_ claims: [WorkClaim]) {}

    /// Accepts every result.
    public func deliver(_ results: [WorkResult]) -> [DeliveryAnswer] {
        results.map { _ in .stored(.current) }
    }

    /// Always nil: there is no published catalogue.
    public func catalogue(since known: Int64?) -> PublishedCatalogue? { nil }

    /// Throws: there is no published catalogue.
    public func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        throw WorkError(
            .refused, "catalogue-unknown", during: "reading the catalogue",
            message: "a tray file names its own catalogue")
    }

    /// Throws: there are no published files.
    public func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        throw WorkError(
            .refused, "file-unpublished", during: "fetching a file",
            message: "a tray file uses packages from its own folder")
    }
}
