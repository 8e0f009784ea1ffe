import Bluetooth
import Foundation
import Testing
import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A PostgreSQL connection` {
    @Test func `returns fields in the requested type, or throws`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        let rows = try await connection.run(
            "SELECT $1::text AS text, $2::bigint AS number, $3::text[] AS list, NULL AS nothing, true AS truth, 'x' AS word",
            [.text("a\"\\'\u{1F600}"), .integer(.min), .array(["a\"b\\c", nil, "", "NULL", "{,}"])],
            during: "trying")
        let row = try #require(rows.first)
        #expect(try row.text("text") == "a\"\\'\u{1F600}")
        #expect(try row.integer("number") == .min)
        #expect(try row.text("list") == #"{"a\"b\\c",NULL,"","NULL","{,}"}"#)
        #expect(try row.textIfAny("nothing") == nil)
        #expect(try row.boolean("truth"))
        for flawed in [
            { _ = try row.text("nothing") }, { _ = try row.integer("word") },
            { _ = try row.boolean("word") }, { _ = try row.text("absent") },
        ] as [() throws -> Void] { #expect(throws: PostgresError.self) { try flawed() } }
    }

    @Test func `carries bytes unchanged`() async throws {
        let connection = try await SharedServer.database().connect()
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let rows = try await connection.run(
            "SELECT $1::bytea AS body", [.bytes(bytes)], format: .binary, during: "trying")
        #expect(try rows.first?.bytes("body") == bytes)
    }

    @Test func `reports the server's error, and continues`() async throws {
        let connection = try await SharedServer.database().connect()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.run("SELECT 1 / 0", during: "dividing")
        }
        #expect(error?.sqlstate == "22012")
        #expect(error?.during == "dividing")
        #expect(try await connection.run("SELECT 1", during: "trying").count == 1)
    }

    @Test func `serves tasks in the order of their requests`() async throws {
        let connection = try await SharedServer.database().connect()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let rows = try await connection.run(
                        "SELECT $1::bigint AS number", [.integer(Int64(number))], during: "trying")
                    return try rows.first?.integer("number") == Int64(number)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `is closed by a deadline, on time`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        let begun = database.time.now
        let error = await #expect(throws: PostgresError.self) {
            try await connection.run("SELECT pg_sleep(20)", during: "sleeping", within: .milliseconds(300))
        }
        #expect(error?.problem == .deadline(.milliseconds(300)))
        #expect(database.time.now - begun < .seconds(5))
        #expect(await !connection.isOpen)
        await #expect(throws: PostgresError.self) { try await connection.run("SELECT 1", during: "trying") }
    }

    @Test func `is closed by a cancellation`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        let task = Task { try await connection.run("SELECT pg_sleep(20)", during: "sleeping") }
        try await database.time.sleep(for: .milliseconds(200))
        task.cancel()
        let error = await #expect(throws: PostgresError.self) { try await task.value }
        #expect(error?.problem == .cancelled)
        #expect(await !connection.isOpen)
    }

    @Test func `detects by its deadline that a server has stopped responding`() async throws {
        let database = try await SharedServer.database()
        let connection = try await PostgresConnection.open(
            database.settings(as: "owner_of_all", overTCP: true), on: database.loop, time: database.time)
        let process = await connection.backend
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let error = await #expect(throws: PostgresError.self) {
            try await connection.run("SELECT 1", during: "trying", within: .milliseconds(500))
        }
        #expect(error?.problem == .deadline(.milliseconds(500)))
    }

    @Test func `rolls a failed transaction back completely`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        _ = try await connection.run("CREATE TABLE public.t (n int PRIMARY KEY)", during: "trying")
        await #expect(throws: PostgresError.self) {
            try await connection.transaction(during: "trying") { transaction throws(PostgresError) in
                try await transaction.run("INSERT INTO public.t VALUES (1)")
                try await transaction.run("INSERT INTO public.t VALUES (1)")
            }
        }
        #expect(try await database.ask("SELECT count(*) AS answer FROM public.t") == "0")
        #expect(try await connection.run("SELECT 1", during: "trying").count == 1)
    }

    @Test func `receives notifications, and has none when none come`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        _ = try await connection.run("LISTEN here", during: "listening")
        #expect(try await connection.notifications(within: .milliseconds(50)).isEmpty)
        try await database.ask("SELECT pg_notify('here', 'there')::text AS answer")
        let news = try await connection.notifications(within: .seconds(10))
        #expect(news == ["there"])
    }

    @Test(arguments: [
        "password=oops", "host=/tmp password='secret'", "postgresql://me:secret@127.0.0.1/db",
        "host=a,b sslpassword=secret",
    ])
    func `takes no password from its settings, and prints none`(target: String) async throws {
        let loop = try EventLoop.shared.get()
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.open(
                PostgresSettings(target, applicationName: "t"), on: loop, time: loop.clock)
        }
        #expect(error.map { "\($0)" }?.contains("password: keep it in") == true)
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }

    @Test func `reports a refusal, with the server's code`() async throws {
        let database = try await SharedServer.database()
        for (target, code) in [
            (database.server.target("none", as: "bench1"), "3D000"),
            (database.server.target(database.name, as: "nobody1"), "28000"),
        ] {
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.open(
                    PostgresSettings(target, applicationName: "t"), on: database.loop, time: database.time)
            }
            #expect(error?.sqlstate == code)
            #expect(error?.cause.contains("LOCATION") == false)
        }
        let nobody = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.open(
                PostgresSettings("hostaddr=127.0.0.1 port=1", applicationName: "t"), on: database.loop,
                time: database.time)
        }
        #expect(nobody?.sqlstate == nil)
    }

    @Test(arguments: ["", "target_session_attrs=read-write"])
    func `is made with the server that answers, despite a silent one and a missing one`(
        more: String
    ) async throws {
        let database = try await SharedServer.database()
        // It accepts connections, but never answers.
        let silent = try Impostor([])
        defer { silent.close() }
        let real = database.settings(as: "owner_of_all", overTCP: true)
        let ports = real.target.split(separator: " ").compactMap {
            $0.hasPrefix("port=") ? $0.dropFirst(5) : nil
        }
        let port = try #require(ports.first)
        let begun = database.time.now
        let connection = try await PostgresConnection.open(
            PostgresSettings(
                "host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(silent.port),1,\(port) user=owner_of_all dbname=\(database.name) \(more)",
                applicationName: "t", connectTimeout: .seconds(6)), on: database.loop, time: database.time)
        #expect(try await connection.run("SELECT 1", during: "trying").count == 1)
        #expect(database.time.now - begun < .seconds(6))
        let none = await #expect(throws: PostgresError.self) {
            try await PostgresConnection.open(
                PostgresSettings(
                    "host=127.0.0.1,127.0.0.1 port=\(silent.port),1 user=u dbname=d", applicationName: "t",
                    connectTimeout: .seconds(4)), on: database.loop, time: database.time)
        }
        // A busy machine may take a third of a second to refuse a connection.
        #expect(
            none?.cause.contains("no answer within 2.0 seconds; connection to server at") == true,
            "\(String(describing: none))")
    }

    /// A server that answers, but is not PostgreSQL.
    @Test(arguments: [
        Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [],
        [0x52, 0x00, 0x00, 0x00, 0x08, 0, 0, 0, 0, 0x5A, 0, 0, 0, 1],
        [0x45, 0x7F, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 4096),
        [0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5A, 0, 0, 0, 5, 0x49, 0x54, 0x7F, 0, 0, 0],
    ]) func `refuses a server that sends garbage`(answer: [UInt8]) async throws {
        let loop = try EventLoop.shared.get()
        let impostor = try Impostor(answer)
        defer { impostor.close() }
        let error = await #expect(throws: PostgresError.self) {
            let connection = try await PostgresConnection.open(
                PostgresSettings(
                    "hostaddr=127.0.0.1 port=\(impostor.port) user=u dbname=d sslmode=disable",
                    applicationName: "t",
                    connectTimeout: .seconds(1), statementTimeout: .seconds(1)), on: loop, time: loop.clock)
            _ = try await connection.run("SELECT 1", during: "trying")
        }
        #expect(error != nil)
    }

    @Test func `is closed however its use ends`() async throws {
        let database = try await SharedServer.database()
        for isBroken in [false, true] {
            let connection = try await database.connect(as: "bench1")
            do throws(PostgresError) {
                _ = try await connection.closing { (connection) throws(PostgresError) in
                    try await connection.run(isBroken ? "SELECT 1 / 0" : "SELECT 1", during: "trying")
                }
                #expect(!isBroken)
            } catch { #expect(isBroken) }
            #expect(await !connection.isOpen)
        }
    }
}
