import ArgumentParser
import BeaconCommands
import BenchPage
import BenchServer
import BenchSources
import Glibc
import PacketSockets
import StationEngine
import Stations
import Timing
import WorkOrders

struct View: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a page on which a bench, or all stations of an engine, can be watched.",
        discussion: """
            Examples: `beacon-dfu-station view` for all stations of the engine; `beacon-dfu-station view --bench` for this bench alone, \
            from its journal; `beacon-dfu-station view --listen 0.0.0.0 --port 8443 --certificate cert.pem --key key.pem --name \
            wall.plant` for others in the network.

            Prints the addresses to open, each with a code that signs one browser in, and another one when it has. `beacon-dfu batch --view` serves the page of its \
            own run.
            """)

    @Flag(help: "This bench alone, from its journal: no engine is asked.") var bench = false
    @Flag(help: "With --bench: the journal of simulated beacons.") var simulated = false
    @Option(help: ArgumentHelp("The port; 0 for any that is free.", valueName: "port"))
    var port = 8137
    @Option(
        help: ArgumentHelp(
            "Listen on this address in place of the loopback; needs a certificate or --insecure-network.",
            valueName: "address"))
    var listen: String?
    @Option(help: ArgumentHelp("Listen on a socket of the file system.", valueName: "path")) var socket:
        String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A name of this machine by which browsers ask for the page.", valueName: "name"))
    var name: [String] = []
    @Option(help: ArgumentHelp("The certificate for TLS, in PEM.", valueName: "file"), completion: .file())
    var certificate: String?
    @Option(help: ArgumentHelp("Its key, in PEM.", valueName: "file"), completion: .file()) var key: String?
    @Flag(help: "Let anybody look who reaches the page, and nobody act: a screen on the wall.") var wall =
        false
    @Flag(help: "Serve without TLS on a network. Anybody looks, nobody acts.") var insecureNetwork = false
    @Option(
        help: ArgumentHelp(
            "What is in this file reads /metrics, and nothing else, as 'Authorization: Bearer'.",
            valueName: "file"), completion: .file())
    var metricsTokenFile: String?
    @Flag(help: .hidden) var events = false
    @OptionGroup(title: "Engine") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [certificate, key, metricsTokenFile] }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together")
        }
        for name in name where name.contains(":") && !name.hasSuffix("]") {
            throw ValidationError("--name is a name without a port, not '\(name)'")
        }
        guard !simulated || bench else { throw ValidationError("--simulated is about --bench") }
        guard !simulated || !source.journal.isNamed else {
            throw ValidationError("give --simulated or --journal, not both")
        }
        guard listen == nil || socket == nil else { throw ValidationError("--listen or --socket, not both") }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        if events { return await serveRun() }
        let tell: @Sendable (JSONLine, [String]) -> Void = { line, words in
            console.event(line)
            guard !common.json else { return }
            for line in words { console.result(TerminalText(line)) }
        }
        let ready: @Sendable (ServedPage) -> Void = { page in
            let words = page.isWall ? "" : "each link signs one browser in, once; "
            if !common.json { console.talk("\(words)Ctrl-C ends the page, and nothing else") }
        }
        guard !bench else {
            let journal = try source.journal.place(simulated: simulated)
            let run = RunSource(id: "bench", name: try station, book: JournalBook(journal))
            try await PageService(
                options: try options(), source: run, roles: [.viewer], tell: tell, ready: ready
            ).run { await run.follow(journal: journal, catalogue: Self.catalogue) }
            return .done
        }
        let session = try source.session()
        return try await session.closing { try await serveStations(WorkServerAdmin(over: session), tell, ready) }
    }

    private func serveStations(
        _ admin: WorkServerAdmin, _ tell: @escaping @Sendable (JSONLine, [String]) -> Void,
        _ ready: @escaping @Sendable (ServedPage) -> Void
    ) async throws -> ExitStatus {
        // Whether there is an engine at all is said at once; later it may go and come.
        _ = try await admin.orders(most: 1)
        let floor = WorkServerSource(admin)
        let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let loop = try EventLoop.shared.get()
        let listener = WorkServerListener(try source.settings(), on: loop, time: loop.keeper)
        // What is done to an order is an approver's.
        let roles: [PageRole] = [.approver, .viewer]
        try await PageService(options: try options(), source: floor, roles: roles, tell: tell, ready: ready)
            .run {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await floor.follow(bell, time: loop.keeper, ringing: ringer) }
                    group.addTask { await listener.listen { _ in ringer.yield() } }
                    await group.waitForAll()
                }
            }
        return .done
    }

    /// Serves the page of a run that has begun this program, until the run is over. Where, or why not, is for the run to say.
    private func serveRun() async -> ExitStatus {
        let requests = RequestWriter()
        do {
            let journal = try source.journal.place
            let run = RunSource(id: "bench", name: try station, book: JournalBook(journal)) {
                (action, user) async throws(PageRefusal) in
                try requests.write(action, user)
            }
            var options = try options()
            options.takesAnyPort = true
            let roles: [PageRole] = [.approver, .worker, .viewer]
            let service = PageService(options: options, source: run, roles: roles) { line, _ in
                requests.tell(line)
            }
            try await service.run(until: run.read(STDIN_FILENO)) {
                await run.follow(journal: journal, hasLines: true, catalogue: Self.catalogue)
            }
            return .done
        } catch {
            let failure = error as? CommandFailure
            requests.tell(
                JSONLine(
                    "failed",
                    [
                        "code": .text(failure?.code ?? "page-missing"),
                        "message": .text(failure?.message ?? "\(error)"),
                        "next_step": failure.map { .text($0.nextStep) } ?? .null,
                    ]))
            return .failed
        }
    }

    /// By which catalogue the units of the order `number` are chosen, as the engine has said last.
    @Sendable private static func catalogue(for number: String) -> Bench.Catalogue? {
        guard let folder = try? Work.cacheFolder(),
            case .catalogue(let version, _)? = FileCache(folder).known(number)?.firmware
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
        guard (16...4096).contains(token.utf8.count) else {
            throw ValidationError("\(metricsTokenFile) has no token of at least 16 characters")
        }
        options.metricsToken = token
        return options
    }
}
