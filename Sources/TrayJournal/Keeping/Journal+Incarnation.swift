import FoundationEssentials
import GRDB

extension Journal {
    /// Gives this journal a new incarnation, as is needed for a copy or a restored backup. The open entries of `kind`
    /// are numbered from 1 again. Entries that were refused, for example under a number that belonged to another entry,
    /// are sent once more. The journal must have been opened for a run; `incarnation` of this object does not change.
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
