import Bytes
import FoundationEssentials
import Tray
import TrayJournal
import UpdateModel

package enum StationResults {
    /// The `kind` of the outbox entries for the work server. No hook can have this name.
    package static let kind = "@engine"

    /// A hash of the machine's id, which does not reveal the id (as machine-id(5) requires).
    package static var machine: String {
        key(of: "station of beacon-dfu, on \(MachineClock.machine ?? "a machine without an id")")
    }

    /// The key of a result that `text` identifies uniquely: a UUID of version 8 (RFC 9562, 5.8) made from the text's
    /// SHA-256.
    package static func key(of text: String) -> String {
        var bytes = Array(SHA256Digest.digest(text.utf8).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(HexText.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// The members of a body that the station reads. The work server gets the whole body.
    private struct Header: Decodable {
        struct Claim: Decodable { let order: String, unit: String, epoch: Int64 }

        let outcome: UnitOutcome
        let code, orderNumber, address, device: String?
        let claim: Claim?
    }

    static func result(of row: OutboxRow) -> WorkResult? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let header = try? decoder.decode(Header.self, from: Data(row.entry.body.utf8)) else {
            return nil
        }
        let claim = header.claim.map { WorkClaim(order: $0.order, key: $0.unit, epoch: $0.epoch) }
        return WorkResult(
            id: row.entry.key, sequence: row.number, claim: claim, order: claim?.order ?? header.orderNumber,
            key: claim?.key ?? header.address ?? header.device ?? "", outcome: header.outcome,
            code: header.code, body: row.entry.body,
            sha256: SHA256Digest.text(of: row.entry.body.utf8), observed: row.made)
    }

    /// The result for a row with an invalid body, which is not sent: without a hash, so that the work server refuses
    /// the result and counts its number as received.
    static func emptyResult(for row: OutboxRow) -> WorkResult {
        WorkResult(
            id: row.entry.key, sequence: row.number, claim: nil, order: nil, key: "", outcome: .unknown,
            body: "", sha256: "", observed: row.made)
    }
}
