import GRDB

/// The tables, and the migrations from earlier versions. (docs/formats/journal.md)
///
/// The column `record` has all values of a row as JSON; other columns repeat some of them for searches.
///
/// Times are milliseconds since 1970 in UTC, except `claim.lease_end`: milliseconds of `CLOCK_BOOTTIME` in the boot
/// `claim.boot`. `outbox.sequence` counts all entries, `outbox.number` those of one `kind`. `claim.epoch` counts the
/// claims of a unit. Comments are not in the SQL: `number(of:)` compares its text with that of a journal.
struct JournalSchema: Sendable {
    /// The present schema. A journal's `user_version` is the number of steps that were applied to it.
    static let present = JournalSchema(steps: [first, second, third])

    /// The `application_id` of journals, which other SQLite files do not have: `bdfu` in ASCII.
    static let application: Int32 = 0x6264_6675

    /// The SQL of the steps, each from one schema to the next one; the first starts from an empty file.
    let steps: [String]

    var version: Int { steps.count }

    /// Migrates the existing schema to this one, in the caller's transaction.
    func migrate(_ database: Database) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard (0..<version).contains(found) else { return }
        for step in steps[found...] { try database.execute(sql: step) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// The number of the schema whose tables the journal has, whatever its `user_version`; nil if there is none.
    func number(of database: Database) throws -> Int? {
        let found = try Self.tables(of: database)
        return try (1...version).first { number in
            let empty = try DatabaseQueue()
            return try empty.write { other in
                try JournalSchema(steps: Array(steps[..<number])).migrate(other)
                return try Self.tables(of: other) == found
            }
        }
    }

    private static func tables(of database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    }

    private static let first = """
        CREATE TABLE journal (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          incarnation TEXT NOT NULL,
          created INTEGER NOT NULL,
          sequence INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE run (
          id INTEGER PRIMARY KEY,
          uuid TEXT NOT NULL UNIQUE,
          began INTEGER NOT NULL,
          tray TEXT,
          station TEXT,
          operator TEXT,
          order_number TEXT,
          record TEXT NOT NULL
        ) STRICT;
        CREATE INDEX run_tray ON run (tray);
        CREATE INDEX run_order ON run (order_number);

        CREATE TABLE session (
          run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
          number INTEGER NOT NULL,
          began INTEGER NOT NULL,
          ended INTEGER,
          record TEXT NOT NULL,
          PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_open ON session (run) WHERE ended IS NULL;

        CREATE TABLE hold (
          run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
          number INTEGER NOT NULL,
          began INTEGER NOT NULL,
          released INTEGER,
          code TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE unit (
          id INTEGER PRIMARY KEY,
          run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
          slot TEXT NOT NULL,
          device TEXT,
          address TEXT,
          identifier TEXT COLLATE NOCASE,
          name TEXT,
          outcome TEXT,
          code TEXT,
          closed INTEGER,
          verdict TEXT,
          record TEXT NOT NULL,
          UNIQUE (run, slot)
        ) STRICT;
        CREATE INDEX unit_device ON unit (device);
        CREATE INDEX unit_address ON unit (address);
        CREATE INDEX unit_identifier ON unit (identifier);
        CREATE INDEX unit_name ON unit (name);
        CREATE INDEX unit_open ON unit (run) WHERE outcome IS NULL OR outcome = 'aborted';

        CREATE TABLE attempt (
          id INTEGER PRIMARY KEY,
          unit INTEGER NOT NULL REFERENCES unit ON DELETE CASCADE,
          number INTEGER NOT NULL,
          session INTEGER NOT NULL,
          began INTEGER NOT NULL,
          address TEXT NOT NULL,
          adapter TEXT NOT NULL,
          file TEXT,
          sha256 TEXT,
          version_before TEXT,
          version_after TEXT,
          verified TEXT,
          outcome TEXT,
          code TEXT,
          record TEXT NOT NULL,
          UNIQUE (unit, number)
        ) STRICT;
        CREATE INDEX attempt_address ON attempt (address);
        CREATE INDEX attempt_sha256 ON attempt (sha256);

        CREATE TABLE change (
          id INTEGER PRIMARY KEY,
          attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
          at INTEGER NOT NULL,
          step TEXT NOT NULL,
          address TEXT NOT NULL,
          part INTEGER,
          parts INTEGER,
          sha256 TEXT
        ) STRICT;
        CREATE INDEX change_attempt ON change (attempt);

        CREATE TABLE outbox (
          sequence INTEGER PRIMARY KEY,
          kind TEXT NOT NULL,
          key TEXT NOT NULL,
          run INTEGER REFERENCES run ON DELETE CASCADE,
          made INTEGER NOT NULL,
          body TEXT NOT NULL,
          body_sha256 TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'waiting'
            CHECK (state IN ('waiting', 'sent', 'acknowledged', 'refused', 'dropped')),
          tries INTEGER NOT NULL DEFAULT 0,
          due INTEGER NOT NULL,
          settled INTEGER,
          last_error TEXT,
          UNIQUE (kind, key)
        ) STRICT;
        CREATE INDEX outbox_run ON outbox (run);
        CREATE INDEX outbox_open ON outbox (kind, sequence) WHERE state IN ('waiting', 'sent');
        CREATE INDEX outbox_state ON outbox (state, sequence);
        """

    /// Schema 2, for the work of several benches: numbers without gaps for each kind of outbox entries, and the claims
    /// under which units are updated.
    private static let second = """
        ALTER TABLE outbox ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        UPDATE outbox SET number =
          (SELECT count(*) FROM outbox AS earlier
           WHERE earlier.kind = outbox.kind AND earlier.sequence <= outbox.sequence);
        CREATE INDEX outbox_number ON outbox (kind, number);

        CREATE TABLE outbox_kind (
          kind TEXT PRIMARY KEY,
          number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO outbox_kind (kind, number) SELECT kind, max(number) FROM outbox GROUP BY kind;

        CREATE TABLE claim (
          run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
          slot TEXT NOT NULL,
          order_number TEXT NOT NULL,
          unit TEXT NOT NULL,
          epoch INTEGER NOT NULL,
          boot TEXT NOT NULL,
          lease_end INTEGER,
          PRIMARY KEY (run, slot)
        ) STRICT, WITHOUT ROWID;
        """

    /// Schema 3: marks runs of simulated beacons (in earlier journals by their adapters' names) and updates of one
    /// beacon without a tray; and has the newest catalogue seal of each signing key.
    private static let third = """
        ALTER TABLE run ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE run ADD COLUMN single INTEGER NOT NULL DEFAULT 0;
        UPDATE run SET simulated = 1, record = CASE
          WHEN json_valid(record) THEN json_set(record, '$.isSimulated', json('true')) ELSE record END
        WHERE EXISTS (
          SELECT 1 FROM unit JOIN attempt ON attempt.unit = unit.id
          WHERE unit.run = run.id AND attempt.adapter GLOB 'sim*');

        CREATE TABLE seal (
          key TEXT PRIMARY KEY,
          counter INTEGER NOT NULL,
          content TEXT NOT NULL,
          seen INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
