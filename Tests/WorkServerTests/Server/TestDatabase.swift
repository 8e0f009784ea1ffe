import Bluetooth
import Bytes
import Foundation
import Testing
import Tray
import UpdateModel
import Work
import WorkContract
import WorkServer

/// A database with a work server, as its logins see it.
struct TestDatabase: Sendable {
    /// The logins of every server of tests.
    static let logins = [
        "bench1": "station", "bench2": "station", "watcher": "viewer", "foreman": "approver",
        "planner": "admin",
    ]

    let server: PostgresServer
    let name: String
    let loop: EventLoop

    var time: Timekeeper { loop.clock }

    func settings(
        as login: String, overTCP: Bool = false, statementTimeout: Duration = .seconds(20)
    ) -> PostgresSettings {
        PostgresSettings(
            server.target(name, as: login, overTCP: overTCP), applicationName: "tests",
            statementTimeout: statementTimeout)
    }

    func connect(as login: String = "owner_of_all") async throws -> PostgresConnection {
        try await PostgresConnection.open(settings(as: login), on: loop, time: time)
    }

    func session(as login: String, overTCP: Bool = false, statementTimeout: Duration = .seconds(20))
        -> WorkServerSession
    {
        WorkServerSession(
            settings(as: login, overTCP: overTCP, statementTimeout: statementTimeout), on: loop, time: time)
    }

    func admin(as login: String) -> WorkServerAdmin { WorkServerAdmin(over: session(as: login)) }

    func work(as login: String = "bench1", overTCP: Bool = false, statementTimeout: Duration = .seconds(20))
        -> PostgresWork
    {
        PostgresWork(over: session(as: login, overTCP: overTCP, statementTimeout: statementTimeout))
    }

    /// The first field of the answer to a statement of the superuser.
    @discardableResult func ask(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> String? {
        let connection = try await connect()
        let rows = try await connection.run(sql, parameters, during: "asking")
        await connection.close()
        return try rows.first?.textIfAny("answer")
    }

    func install(
        _ schema: WorkServerSchema = .current, as login: String = "maker"
    ) async throws -> WorkServerInstallation.Outcome {
        try await WorkServerInstallation(schema, in: settings(as: login), on: loop, time: time).apply()
    }
}

extension PostgresServer {
    /// A work server in a database of its own on a server that has none yet.
    func firstDatabase() async throws -> TestDatabase {
        let loop = try EventLoop.shared.get()
        let everything = TestDatabase(server: self, name: "postgres", loop: loop)
        // As in docs/stations.md: the owner of a work server has CREATE on its database, and nothing else.
        for role in WorkServerSurvey.Role.allCases {
            try await everything.ask("CREATE ROLE beacon_dfu_\(role.rawValue)")
        }
        try await everything.ask("CREATE ROLE maker LOGIN")
        try await everything.ask("CREATE DATABASE engine")
        try await everything.ask("GRANT CREATE ON DATABASE engine TO maker")
        let database = TestDatabase(server: self, name: "engine", loop: loop)
        _ = try await database.install()
        for (login, role) in TestDatabase.logins {
            try await everything.ask("CREATE ROLE \(login) LOGIN IN ROLE beacon_dfu_\(role)")
        }
        return database
    }
}

/// The server that most tests share, each with a database of its own.
actor SharedServer {
    static let shared = SharedServer()
    private var template: Task<TestDatabase, any Error>?
    private var count = 0

    /// A fresh database with a work server.
    static func database() async throws -> TestDatabase {
        let (template, number) = await shared.next()
        let engine = try await template.value
        let name = "test\(number)"
        let everything = TestDatabase(server: engine.server, name: "postgres", loop: engine.loop)
        try await everything.ask("CREATE DATABASE \(name) TEMPLATE engine")
        return TestDatabase(server: engine.server, name: name, loop: engine.loop)
    }

    /// A fresh database without one, in which the maker's login may create one.
    static func emptyDatabase(mayCreate: Bool = true) async throws -> TestDatabase {
        let (template, number) = await shared.next()
        let engine = try await template.value
        let everything = TestDatabase(server: engine.server, name: "postgres", loop: engine.loop)
        try await everything.ask("CREATE DATABASE test\(number)")
        if mayCreate { try await everything.ask("GRANT CREATE ON DATABASE test\(number) TO maker") }
        return TestDatabase(server: engine.server, name: "test\(number)", loop: engine.loop)
    }

    private func next() -> (Task<TestDatabase, any Error>, Int) {
        count += 1
        if let template { return (template, count) }
        let task = Task {
            // Nothing in it has to outlive the tests.
            let server = try PostgresServer(options: ["fsync=off", "synchronous_commit=on"])
            try server.start()
            return try await server.firstDatabase()
        }
        template = task
        return (task, count)
    }
}

extension Trait where Self == ConditionTrait {
    /// The test needs real PostgreSQL servers.
    static var withPostgreSQL: Self {
        .enabled(
            if: PostgresServer.isInstalled,
            "PostgreSQL 15 or later is not installed below /usr/lib/postgresql (apt-get install postgresql)")
    }
}

extension PostgresError {
    /// PostgreSQL's error code of five letters and digits; nil if the server has sent none.
    var sqlstate: String? {
        switch problem {
        case .connection(_, let sqlstate): sqlstate
        case .server(let message): message.sqlstate
        case .settings, .password, .certificate, .deadline, .cancelled, .answer: nil
        }
    }
}

extension StationIdentity {
    static func sample(_ name: String) -> StationIdentity {
        StationIdentity(name: name, incarnation: UUID().uuidString.lowercased(), machine: "m-\(name)")
    }
}

extension WorkResult {
    /// A result with or without a claim.
    static func sample(
        _ sequence: Int64, _ claim: WorkClaim? = nil, outcome: UnitOutcome = .passed, code: String? = nil
    ) -> WorkResult {
        WorkResult(
            id: UUID().uuidString.lowercased(), sequence: sequence, claim: claim, order: claim?.order,
            key: claim?.key ?? "id:x", outcome: outcome, code: code, body: "{}",
            sha256: HexText.encode(SHA256Digest.digest("{}".utf8)), observed: .now)
    }
}
