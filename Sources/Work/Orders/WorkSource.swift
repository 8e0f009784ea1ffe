/// The source of a bench's work and the receiver of its results: a tray file, or a work server that several benches
/// share.
///
/// Calls may be repeated after any failure: a claim whose answer was lost expires, and a result has a key. No call
/// takes longer than the deadline of the conforming type. (docs/decisions/0053)
package protocol WorkSource: Sendable {
    /// Sends the station's identity and status. This is the first call, and is repeated after each interruption: the
    /// answer states up to which number the work server has the station's results.
    func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply
    /// Claims the beacons of the request; without beacons, first units whose lease has expired, then waiting ones. A
    /// beacon that the station has already claimed is granted again, in case the station has lost the answer.
    func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer
    func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal]
    /// Releases units that were not begun or not finished: other stations may claim them at once.
    func release(_ claims: [WorkClaim]) async throws(WorkError)
    /// Delivers results; returns an answer for each, in their order.
    func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer]
    /// The latest catalogue; nil if it is version `known` and nothing was recalled, or if there is none.
    func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue?
    /// The catalogue that was published as `version`, even if there is a later one.
    func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue
    /// The file with this SHA-256, in lower-case hexadecimal. The call verifies the hash.
    func file(_ sha256: String) async throws(WorkError) -> [UInt8]
}

/// The tray of a single bench: every requested unit is granted without end, and results go to no server.
package struct TrayFileWork: WorkSource {
    package init() {}

    package func sendHeartbeat(_ report: StationReport) -> HeartbeatReply {
        HeartbeatReply(contiguous: report.lastSequence)
    }

    package func claim(_ request: ClaimRequest) -> ClaimAnswer {
        let grants = (request.beacons ?? []).prefix(request.most).compactMap(\.keys.first).map { key in
            ClaimAnswer.Grant(
                WorkClaim(order: request.order, key: key, epoch: 1), lease: nil, wasClaimedBefore: false,
                selector: key)
        }
        return ClaimAnswer(
            order: WorkOrder(number: request.order, state: .open, firmware: .ofTray), grants: grants)
    }

    package func renew(_ claims: [WorkClaim], for lease: Duration) -> [Renewal] {
        claims.map { _ in .renewed(for: nil) }
    }

    package func release(_ claims: [WorkClaim]) {}

    package func deliver(_ results: [WorkResult]) -> [DeliveryAnswer] {
        results.map { _ in .stored(.current) }
    }

    package func catalogue(since known: Int64?) -> PublishedCatalogue? { nil }

    package func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        throw WorkError(
            .refused, .workServer.catalogueUnknown, during: "reading the catalogue",
            message: "a tray file names its own catalogue")
    }

    package func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        throw WorkError(
            .refused, .workServer.fileUnpublished, during: "fetching a file",
            message: "a tray file uses packages from its own folder")
    }
}
