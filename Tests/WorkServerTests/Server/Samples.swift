import Bytes
import Foundation
import Tray
import Work

extension StationIdentity {
    static func sample(_ name: String) -> StationIdentity {
        StationIdentity(name: name, incarnation: UUID().uuidString.lowercased(), machine: "m-\(name)")
    }
}

extension WorkResult {
    /// A result with or without a claim.
    static func sample(
        _ sequence: Int64, _ claim: WorkClaim? = nil, outcome: Outcome = .passed, code: String? = nil
    ) -> WorkResult {
        WorkResult(
            id: UUID().uuidString.lowercased(), sequence: sequence, claim: claim, order: claim?.order,
            key: claim?.key ?? "id:x", outcome: outcome, code: code, body: "{}",
            sha256: HexText.encode(SHA256Digest.digest("{}".utf8)), observed: .now)
    }
}
