import Foundation
import Synchronization

/// A PostgreSQL server of a test, in a temporary folder: reached over a socket there, and over the loopback on a free
/// port.
///
/// It does not run as root, but as `postgres`, or as BEACON_DFU_POSTGRES_USER.
final class PostgresServer: Sendable {
    /// The newest installed version from 15 on; nil for none.
    static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.compactMap(Int.init).filter { $0 >= 15 }.max().map { "/usr/lib/postgresql/\($0)/bin" }
    }()
    static var isInstalled: Bool { programs != nil }

    private static let user: [String] = {
        guard getuid() == 0 else { return [] }
        let name = ProcessInfo.processInfo.environment["BEACON_DFU_POSTGRES_USER"] ?? "postgres"
        return ["setpriv", "--reuid", name, "--regid", name, "--clear-groups", "--"]
    }()

    let folder: String
    let port: Int
    let data: String
    private let options: [String]

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// A server that was never started. `data` has the files of `initdb`, unless it `follows` another server.
    init(options: [String] = [], data: String? = nil, following primary: PostgresServer? = nil) throws {
        folder = NSTemporaryDirectory() + "beacon-dfu-postgres-" + UUID().uuidString.prefix(8)
        self.data = data ?? folder + "/data"
        port = try Self.freePort()
        self.options = options
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.own(folder)
        if let primary {
            try Self.run(
                "pg_basebackup", "-h", primary.folder, "-p", "\(primary.port)", "-U", "owner_of_all", "-D",
                self.data,
                "-R", "-X", "stream", "-c", "fast")
        } else {
            try Self.run(
                "initdb", "-D", self.data, "-A", "trust", "-U", "owner_of_all", "-E", "UTF8", "--locale=C",
                "-N")
        }
        Leftovers.add(self)
    }

    static func own(_ path: String) throws {
        guard let name = user.dropFirst(2).first, let entry = getpwnam(name) else { return }
        guard chown(path, entry.pointee.pw_uid, entry.pointee.pw_gid) == 0 else {
            throw Failure(description: "chown: \(errno)")
        }
    }

    /// Starts it. Right after a kill that is refused until the remaining processes are gone.
    func start() throws {
        let settings = [
            "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(folder)",
            "max_connections=200", "log_min_messages=fatal",
        ]
        let words = (settings + options).map { "-c '\($0)'" }.joined(separator: " ")
        var failure: (any Error)?
        for _ in 0..<50 {
            do {
                try Self.run(
                    "pg_ctl", "-D", data, "-w", "-t", "60", "-l", folder + "/log", "-o", words, "start")
                return
            } catch { failure = error }
            usleep(100_000)
        }
        throw failure ?? Failure(description: "it does not start")
    }

    func stop() { try? Self.run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop") }

    func promote() throws { try Self.run("pg_ctl", "-D", data, "-w", "promote") }

    /// Ends the server's first process as a power cut does, and no other.
    func killPostmaster() throws {
        let text = try String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
        guard let process = Int32(text.prefix { $0.isNumber }), process > 1 else {
            throw Failure(description: "there is no postmaster")
        }
        kill(process, SIGKILL)
    }

    func target(_ database: String, as login: String, overTCP: Bool = false) -> String {
        let host = overTCP ? "hostaddr=127.0.0.1" : "host=\(folder)"
        return "\(host) port=\(port) dbname=\(database) user=\(login)"
    }

    /// PgBouncer; nil if it is not installed. BEACON_DFU_PGBOUNCER names one elsewhere.
    static let pool: String? = {
        let path = ProcessInfo.processInfo.environment["BEACON_DFU_PGBOUNCER"] ?? "/usr/sbin/pgbouncer"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Runs PgBouncer with transaction pooling before the server; returns the port.
    func startPool(for logins: [String]) throws -> Int {
        let poolPort = try Self.freePort()
        try logins.map { "\"\($0)\" \"\"\n" }.joined().write(
            toFile: folder + "/users", atomically: true, encoding: .utf8)
        try """
        [databases]
        * = host=\(folder) port=\(port)
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(poolPort)
        unix_socket_dir =
        auth_type = trust
        auth_file = \(folder)/users
        pool_mode = transaction
        default_pool_size = 2
        pidfile = \(folder)/pool.pid
        logfile = \(folder)/pool.log
        """.write(toFile: folder + "/pool.ini", atomically: true, encoding: .utf8)
        try Self.spawn(Self.user + [Self.pool ?? "pgbouncer", "-q", "-d", folder + "/pool.ini"])
        // It goes into the background before it listens.
        for _ in 0..<250 where !Self.isAnswered(poolPort) { usleep(20_000) }
        return poolPort
    }

    func stopPool() {
        guard let text = try? String(contentsOfFile: folder + "/pool.pid", encoding: .utf8),
            let process = Int32(text.prefix { $0.isNumber }), process > 1
        else { return }
        // At once, without waiting for its clients.
        kill(process, SIGTERM)
    }

    fileprivate func remove() {
        stopPool()
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a program to its end. Not with Foundation's `Process`, which would also wait for the server that `pg_ctl`
    /// leaves running.
    private static func run(_ program: String, _ arguments: String...) throws {
        guard let programs else { throw Failure(description: "PostgreSQL is not installed") }
        try spawn(user + [programs + "/" + program] + arguments)
    }

    private static func spawn(_ command: [String]) throws {
        let log = NSTemporaryDirectory() + "beacon-dfu-" + UUID().uuidString
        defer { unlink(log) }
        let words = ["/usr/bin/env", "-C", "/"] + command
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Threads that run tasks have signals blocked, and a program that does not unblock them would never receive
        // one.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], &actions, &attributes, &pointers, environ)
        guard code == 0 else { throw Failure(description: "posix_spawn: \(code)") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { break } }
        guard status == 0 else {
            let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw Failure(description: "\(command.joined(separator: " ")): \(said)")
        }
    }

    private static func isAnswered(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(description: "there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Servers that are stopped when the tests end, however they do.
private enum Leftovers {
    private static let servers = Mutex<[PostgresServer]>([])

    static func add(_ server: PostgresServer) {
        let isFirst = servers.withLock { servers in
            servers.append(server)
            return servers.count == 1
        }
        if isFirst { atexit { Leftovers.servers.withLock { $0 }.forEach { $0.remove() } } }
    }
}
