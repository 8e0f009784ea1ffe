package import Bluetooth
package import Work

/// Creates the work server's schema in a database, or upgrades an earlier schema.
///
/// The login needs CREATE on the database; if the server lacks the group roles, also the right to create roles. It owns
/// the created objects, and so only it can upgrade them.
package struct WorkServerInstallation: Sendable {
    package struct Outcome: Hashable, Sendable {
        /// The number of the schema before; 0 for none.
        package let before: Int
        package let after: Int
    }

    /// The number of the advisory lock: `bdfu` in ASCII, so that other programs in the database are unlikely to use it.
    private static let lock: Int64 = 0x6264_6675

    private let schema: WorkServerSchema
    private let settings: PostgresSettings
    private let readiness: any DescriptorReadiness
    private let time: Timekeeper

    package init(
        _ schema: WorkServerSchema = .current, in settings: PostgresSettings,
        on readiness: any DescriptorReadiness, time: Timekeeper
    ) {
        (self.schema, self.settings, self.readiness, self.time) = (schema, settings, readiness, time)
    }

    /// Applies the missing steps, all of them or none. A concurrent call waits, and then has nothing to do.
    package func apply() async throws(WorkError) -> Outcome {
        let during = "preparing the work server"
        let outcome: Outcome
        do throws(PostgresError) {
            outcome = try await PostgresConnection.open(settings, on: readiness, time: time).closing {
                (connection) throws(PostgresError) in
                try await connection.transaction(during: during, each: .seconds(120)) {
                    transaction throws(PostgresError) in
                    try await steps(in: transaction)
                }
            }
        } catch { throw WorkError(error) }
        guard outcome.before <= schema.version else {
            throw WorkError(
                .refused, .workServer.newer, during: during,
                message:
                    "the work server's schema is \(outcome.before), but this program supports only up to \(schema.version)",
                nextStep: "use the program version that created it, or a later one")
        }
        return outcome
    }

    /// The SQL that fails if the login may not create a schema.
    private static let privileges = """
        DO $$
        BEGIN
          IF NOT has_database_privilege(current_database(), 'CREATE') THEN
            RAISE EXCEPTION USING ERRCODE = 'BD001', CONSTRAINT = 'engine-create-missing',
              MESSAGE = format('login %s may not create a schema in database %s', current_user, current_database()),
              HINT = format('ask the database superuser to run: GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user);
          END IF;
        END $$
        """

    private func steps(in transaction: PostgresTransaction) async throws(PostgresError) -> Outcome {
        try await transaction.run("SELECT pg_advisory_xact_lock($1)", [.integer(Self.lock)])
        // UTF-8 is needed because names and texts of benches may be in any language.
        let encoding = try await transaction.run("SELECT current_setting('server_encoding') AS encoding")
        guard try encoding.first?.text("encoding") == "UTF8" else {
            throw PostgresError(
                .settings("the database is not UTF-8; create another: createdb -E UTF8 -T template0"),
                during: "preparing the work server")
        }
        let isThere = try await transaction.run(
            "SELECT to_regclass('beacon_dfu.schema_version') IS NOT NULL AS there")
        var before: Int64 = 0
        if try isThere.first?.boolean("there") == true {
            let rows = try await transaction.run(
                "SELECT coalesce(max(version), 0) AS version FROM beacon_dfu.schema_version")
            before = try rows.first?.integer("version") ?? 0
        } else {
            try await transaction.script(Self.privileges)
            try await transaction.run("CREATE SCHEMA beacon_dfu")
        }
        guard before < schema.version, before >= 0 else {
            return Outcome(before: Int(clamping: before), after: Int(clamping: before))
        }
        try await transaction.run("SET LOCAL search_path = beacon_dfu, pg_temp")
        for step in schema.steps[Int(before)...] { try await transaction.script(step) }
        // The first step has revoked this right for its functions only; this statement covers those of all steps.
        try await transaction.run("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA beacon_dfu FROM PUBLIC")
        let numbers = [schema.version, schema.leastProtocol, schema.mostProtocol]
        try await transaction.run(
            "INSERT INTO schema_version (version, least_protocol, most_protocol) VALUES ($1, $2, $3)",
            numbers.map { .integer(Int64($0)) })
        return Outcome(before: Int(before), after: schema.version)
    }
}
