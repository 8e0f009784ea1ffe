import ArgumentParser
import BenchPage
import Bluetooth
import Bytes
import CommandKit
import Glibc
import Tray
import UpdateModel
import Work
import WorkServer

struct View: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Serve a page that shows a bench, or all stations of a work server.",
        discussion: """
            Examples: `beacon-dfu-station view` for all stations of the work server; `beacon-dfu-station view --bench` for this bench alone, \
            from its journal; `beacon-dfu-station view --listen 0.0.0.0 --port 8443 --certificate cert.pem --key key.pem --name \
            wall.plant` for others in the network.

            Prints the addresses to open. Each address contains a one-time code. After each sign-in, a new address is \
            printed. `beacon-dfu batch --view` serves the page of its own run.
            """)

    @Flag(help: "Only this bench, from its journal, without the work server.") var bench = false
    @Flag(help: "With --bench: the journal of simulated beacons.") var simulated = false
    @Option("The port; 0 for any that is free.", valueName: "port") var port = 8137
    @Option(
        "Listen on this address instead of the loopback; needs a certificate or --insecure-network.",
        valueName: "address")
    var listen: String?
    @Option("Listen on a Unix socket.", valueName: "path") var socket: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A name of this machine that browsers use for the page.", valueName: "name"))
    var name: [String] = []
    @Option("The certificate for TLS, in PEM.", valueName: "file", completion: .file())
    var certificate: String?
    @Option("Its key, in PEM.", valueName: "file", completion: .file()) var key: String?
    @Flag(help: "Show the page without sign-in and without actions: for a wall screen.") var wall = false
    @Flag(help: "Serve without TLS on a network, without sign-in and without actions.")
    var insecureNetwork = false
    @Option(
        "A file with the bearer token that can read /metrics, and nothing else.",
        valueName: "file", completion: .file())
    var metricsTokenFile: String?
    /// Whether `batch --view` has started this program, which then reads the run's events from standard input.
    @Flag(help: .hidden) var events = false
    @OptionGroup var server: ServerOptions

    var inputs: [String?] { [certificate, key, metricsTokenFile] }

    func validate() throws {
        try require((0...65_535).contains(port), "--port is a number from 0 to 65535")
        try require((certificate == nil) == (key == nil), "--certificate and --key belong together")
        for name in name where name.contains(":") && !name.hasSuffix("]") {
            throw ValidationError("--name is a name without a port, not '\(name)'")
        }
        try require(!simulated || bench, "--simulated requires --bench")
        try require(!simulated || !source.journal.isNamed, "give --simulated or --journal, not both")
        try require(listen == nil || socket == nil, "--listen or --socket, not both")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        if events { return await serveRun() }
        guard !bench else {
            let journal = try source.journal.path(simulated: simulated)
            let run = RunSource(id: "bench", name: try station, journal: JournalReader(journal))
            try await service(run, [.viewer], console).run {
                await run.follow(journal: journal, catalogue: Self.catalogue)
            }
            return .done
        }
        let session = try source.session()
        return try await session.closing { _ in
            try await serveStations(WorkServerAdmin(over: session), console)
        }
    }

    private func service(
        _ source: any BenchSource, _ roles: [PageRole], _ console: Console
    ) throws -> PageService {
        PageService(options: try options(), source: source, roles: roles) { line, words in
            console.report(line, words.map { TerminalText($0) })
        } ready: { page in
            let words = page.isWall ? "" : "each link signs in one browser, once; "
            if !common.json { console.notice("\(words)Ctrl-C ends only the page") }
        }
    }

    private func serveStations(_ admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        // Fails at once if the work server cannot be reached; later the page shows it as silent instead.
        _ = try await admin.orders(most: 1)
        let stations = WorkServerSource(admin)
        let (hints, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let loop = try EventLoop.shared.get()
        let listener = WorkServerListener(try source.settings(), on: loop, time: loop.clock)
        // Actions on orders need an approver.
        try await service(stations, [.approver, .viewer], console).run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await stations.follow(hints, time: loop.clock, wakingWith: waker) }
                group.addTask { await listener.listen { _ in waker.yield() } }
                await group.waitForAll()
            }
        }
        return .done
    }

    /// Serves the page of the run that has started this program, until the run is over. Address and failure are sent to
    /// the run, which reports them.
    private func serveRun() async -> ExitStatus {
        let requests = RequestWriter()
        do {
            let journal = try source.journal.path()
            let run = RunSource(id: "bench", name: try station, journal: JournalReader(journal)) {
                (action, user) async throws(PageRefusal) in
                try requests.write(action, user)
            }
            var options = try options()
            options.takesAnyPort = true
            let roles: [PageRole] = [.approver, .worker, .viewer]
            let service = PageService(options: options, source: run, roles: roles) { line, _ in
                requests.send(line)
            }
            try await service.run(until: run.read(STDIN_FILENO)) {
                await run.follow(journal: journal, hasLines: true, catalogue: Self.catalogue)
            }
            return .done
        } catch {
            let failure = error as? CommandFailure
            requests.send(
                JSONLine("failed").adding([
                    "code": .text((failure?.code ?? .station.pageMissing).rawValue),
                    "message": .text(failure?.message ?? "\(error)"),
                    "next_step": failure.map { .text($0.nextStep) } ?? .null,
                ]))
            return .failed
        }
    }

    /// The catalogue for the order `number`, from the cached last answer of the work server; nil if none is known.
    @Sendable private static func catalogue(for number: String) -> Bench.Catalogue? {
        guard let folder = try? Work.cacheFolder(),
            case .catalogue(let version, _)? = FileCache(folder).order(number)?.firmware
        else { return nil }
        return Bench.Catalogue(version: "\(version)")
    }

    private var station: String { get throws { try source.joined()?.station ?? "this bench" } }

    private func options() throws -> BenchServerOptions {
        var place = BenchServerOptions.Place.loopback(port: port)
        if let listen { place = .network(host: listen, port: port) }
        if let socket { place = .socket(path: socket) }
        var options = BenchServerOptions(place)
        (options.names, options.isWall, options.isInsecureNetworkAllowed) = (name, wall, insecureNetwork)
        let step = "serving the page"
        if let certificate, let key {
            _ = try SecretFile(path: key, during: step)
            options.tls = .init(certificate: certificate, key: key)
        }
        guard let metricsTokenFile else { return options }
        let text = String(decoding: try SecretFile(path: metricsTokenFile, during: step).bytes, as: UTF8.self)
        let token = text.filter { !$0.isWhitespace }
        try require(
            (16...4096).contains(token.utf8.count),
            "\(metricsTokenFile) has no token of at least 16 characters")
        options.metricsToken = token
        return options
    }
}
