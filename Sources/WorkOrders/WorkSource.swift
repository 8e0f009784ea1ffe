/// Where a bench gets its work from, and tells what became of it: a tray file, or an engine that several benches share.
///
/// Its calls may be repeated after any failure: a claim that was lost on its way runs out by itself, a result has a key. None
/// waits longer than the deadline of the conforming type. (docs/decisions/0053)
public protocol WorkSource: Sendable {
    /// Says who the station is and how it does. Comes first, and again after each silence: the answer says from which result on
    /// the engine wants them (again).
    func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply
    /// Claims units: those whose lease is over first, then those that wait. A beacon that the station itself has is granted anew: it
    /// has lost the answer, or its program has begun anew.
    func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer
    /// Asks for more time; whose claim is lost is told so.
    func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal]
    /// Gives units back that were not begun, or not to their end: others may claim them at once.
    func release(_ claims: [WorkClaim]) async throws(WorkError)
    /// Hands in results; an answer for each, in their order.
    func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer]
    /// The published catalogue, where it is another than version `known` or something was recalled; nil where
    /// there is nothing new to know.
    func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue?
    /// The catalogue as it was published under `version`, though there may be a later one.
    func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue
    /// The file of this SHA-256, in lower-case hexadecimal. It has been checked.
    func file(_ sha256: String) async throws(WorkError) -> [UInt8]
}
