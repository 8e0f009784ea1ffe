import FoundationEssentials
import GRDB

extension Journal {
    /// Makes another journal of this one, as of a copy or of one that came back from a backup: with a new incarnation, in which what
    /// `kind` still has to learn is numbered from 1. What it has refused, as under a number that was another's, it is sent once more. To be called of a journal that was opened for a run; `incarnation` of this object
    /// stays what it was.
    ///
    /// - Returns: The new incarnation.
    public func reincarnate(numbering kind: String) async throws(JournalError) -> String {
        let new = UUID().uuidString.lowercased()
        try await connection.write { database in
            try database.execute(sql: "UPDATE journal SET incarnation = ?", arguments: [new])
            try database.execute(
                sql: """
                    UPDATE outbox SET state = 'waiting', settled = NULL WHERE kind = ? AND state = 'refused'
                    """, arguments: [kind])
            try database.execute(
                sql: """
                    UPDATE outbox SET number = CASE WHEN state IN ('acknowledged', 'dropped') THEN 0 ELSE
                      (SELECT count(*) FROM outbox AS earlier
                       WHERE earlier.kind = outbox.kind AND earlier.sequence <= outbox.sequence
                         AND earlier.state NOT IN ('acknowledged', 'dropped')) END
                    WHERE kind = ?
                    """, arguments: [kind])
            try database.execute(
                sql: """
                    UPDATE outbox_kind SET number = (SELECT ifnull(max(number), 0) FROM outbox WHERE kind = ?1)
                    WHERE kind = ?1
                    """, arguments: [kind])
        }
        return new
    }
}
