import CPostgres
public import PacketSockets
public import Timing

/// One session with a PostgreSQL server: one statement at a time, each with a deadline, and none blocks a thread.
///
/// After a deadline, a cancellation or an end of the connection nobody knows what became of the statement: the session is closed
/// for good (`isOpen`), and another one has to be opened.
public actor PostgresConnection {
    let settings: PostgresSettings
    let readiness: any DescriptorReadiness
    let time: Timekeeper
    let turn = FIFOLock()
    var link: Link?

    init(_ settings: PostgresSettings, on readiness: any DescriptorReadiness, _ time: Timekeeper) {
        (self.settings, self.readiness, self.time) = (settings, readiness, time)
    }

    /// Connects. The server is told how long its side may take, so that it does not go on with what nobody waits for.
    public static func open(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper
    ) async throws(PostgresError) -> PostgresConnection {
        if let flaw = ConnectionText.flaw(in: settings.target) {
            throw PostgresError(.settings(flaw), during: "connecting")
        }
        let connection = PostgresConnection(settings, on: readiness, time)
        // libpq looks names up while it begins to connect, which blocks for as long as the name service is silent: never the thread that
        // runs links to beacons.
        let outcome = await withTaskExecutorPreference(globalConcurrentExecutor) {
            do throws(PostgresError) {
                try await connection.connectToAny()
                return Result<Void, PostgresError>.success(())
            } catch { return .failure(error) }
        }
        try outcome.get()
        try await connection.tellServer(settings.answering, isLocal: false, "connecting")
        return connection
    }

    /// Tells the server how long its side may take, in this session or in this transaction.
    func tellServer(_ limit: Duration, isLocal: Bool, _ during: String) async throws(PostgresError) {
        _ = try await exchange(
            """
            SELECT set_config('statement_timeout', $1, $2), set_config('lock_timeout', $1, $2),
                   set_config('idle_in_transaction_session_timeout', $1, $2)
            """, [.integer(limit.milliseconds), .boolean(isLocal)], .text, during, settings.answering)
    }

    /// Whether statements can be run.
    public var isOpen: Bool { link != nil }

    /// The server's version, as 150018 for 15.18; 0 when closed.
    public var serverVersion: Int { link?.serverVersion ?? 0 }

    /// The process of the server that serves this session; 0 when closed. Behind a pool it is the pool's to say.
    public var backend: Int32 { link?.backend ?? 0 }

    /// Ends the session. A statement that runs ends with an error.
    public func close() { link = nil }

    /// Tries the servers one after the other. libpq does so as well, but stays with one that takes the connection and is silent for as
    /// long as there is time, as a frozen primary is.
    private func connectToAny() async throws(PostgresError) {
        let servers = ConnectionText.servers(of: settings.target)
        var causes: [String] = []
        for (number, server) in servers.enumerated() {
            do throws(PostgresError) {
                return try await limited(settings.connecting / servers.count, during: "connecting") {
                    () throws(PostgresError) in try await self.connect(server)
                }
            } catch {
                guard servers.count > 1, error.mayBeAnotherServers else { throw error }
                causes.append(error.cause)
                guard number == servers.count - 1 else { continue }
                throw PostgresError(
                    .connection(causes.joined(separator: "; "), sqlstate: nil), during: error.during)
            }
        }
    }

    private func connect(_ server: [(name: String, value: String)]) async throws(PostgresError) {
        // What comes later counts.
        guard let link = Link(settings.keywords + server) else {
            throw PostgresError(.connection("there is no memory for it", sqlstate: nil), during: "connecting")
        }
        // The first wait is for writing, as if it had asked for that (PostgreSQL, 34.1, PQconnectStart).
        var awaited: Readiness? = link.isBad ? nil : .writable
        while let readiness = awaited {
            await self.readiness.wait(for: readiness, of: link.descriptor)
            guard !Task.isCancelled else { throw PostgresError(.cancelled, during: "connecting") }
            switch link.pollConnecting() {
            case PGRES_POLLING_READING: awaited = .readable
            case PGRES_POLLING_WRITING: awaited = .writable
            default: awaited = nil
            }
        }
        guard link.isGood, link.stopBlocking() else {
            let refused = RefusedConnection(link.failure, wantingPassword: link.wantsPassword)
            throw PostgresError(refused.problem, during: "connecting")
        }
        self.link = link
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooLarge ? .max : whole &+ attoseconds / 1_000_000_000_000_000
    }
}

extension PostgresConnection {
    /// What `body` gives; the connection is closed however it ends.
    public nonisolated func closing<Value: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do throws(PostgresError) {
            let value = try await body(self)
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}
