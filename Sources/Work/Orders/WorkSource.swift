/// The source of a bench's work and the receiver of its results: a tray file, or a work server that several benches
/// share.
///
/// Calls may be repeated after any failure: a claim whose answer was lost expires, and a result has a key. No call
/// takes longer than the deadline of the conforming type. (docs/decisions/0053)
public protocol WorkSource: Sendable {
    /// Sends the station's identity and status. This is the first call, and is repeated after each interruption: the
    /// answer states from which result on the work server needs them (again).
    func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply
    /// Claims units: first those whose lease has expired, then waiting ones. A beacon that the station itself has
    /// claimed is granted again: the station has lost the answer, or its program was restarted.
    func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer
    /// Renews claims; the answer shows which ones are lost.
    func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal]
    /// Releases units that were not begun or not finished: others may claim them at once.
    func release(_ claims: [WorkClaim]) async throws(WorkError)
    /// Delivers results; returns an answer for each, in their order.
    func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer]
    /// The published catalogue, if its version differs from `known` or something was recalled; nil if nothing is new.
    func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue?
    /// The catalogue that was published as `version`, even if there is a later one.
    func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue
    /// The file with this SHA-256, in lower-case hexadecimal. Its hash has been verified.
    func file(_ sha256: String) async throws(WorkError) -> [UInt8]
}
