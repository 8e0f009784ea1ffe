import ArgumentParser
import BeaconCommands
import BenchPage
import BenchServer
import BenchSources
import Glibc
import PacketSockets
import StationEngine
import Timing

struct View: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a page on which a bench, or all stations of an engine, can be watched.",
        discussion: """
            Examples: `beacon-dfu-station view` for all stations of the engine; `beacon-dfu-station view --bench` for this bench alone, \
            from its journal; `beacon-dfu-station view --listen 0.0.0.0 --port 8443 --certificate cert.pem --key key.pem --name \
            wall.plant` for others in the network.

            Prints the addresses to open, each with a code that signs one browser in. `beacon-dfu batch --view` serves the page of its \
            own run.
            """)

    @Flag(help: "This bench alone, from its journal: no engine is asked.") var bench = false
    @Option(help: ArgumentHelp("The port; 0 for any that is free. Default: 8137.", valueName: "port"))
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
    @Flag(help: .hidden) var events = false
    @OptionGroup(title: "Engine") var source: OfficeOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [certificate, key] }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535") }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together")
        }
        guard listen == nil || socket == nil else { throw ValidationError("--listen or --socket, not both") }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        var place = BenchServerOptions.Place.loopback(port: port)
        if let listen { place = .network(host: listen, port: port) }
        if let socket { place = .socket(path: socket) }
        var options = BenchServerOptions(place)
        (options.names, options.isWall, options.isInsecureNetworkAllowed) = (name, wall, insecureNetwork)
        if let certificate, let key { options.tls = .init(certificate: certificate, key: key) }
        let journal = try source.journal.place
        if bench || events { return try await serveBench(options, journal, console) }
        let office = try source.office()
        // Whether there is an engine at all is said at once; later it may go and come.
        _ = try await office.orders(most: 1)
        let floor = EngineSource(office)
        let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let loop = try EventLoop.shared.get()
        let listener = EngineListener(try source.settings(), on: loop, time: loop.keeper)
        return try await serve(options, floor, console) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await floor.follow(bell, time: loop.keeper, ringing: ringer) }
                group.addTask { await listener.listen { _ in ringer.yield() } }
                await group.waitForAll()
            }
        }
    }

    private func serveBench(
        _ options: BenchServerOptions, _ journal: String, _ console: Console
    ) async throws -> ExitStatus {
        let station = try source.joined()?.station ?? "this bench"
        let wishes = WishWriter()
        let performing: RunSource.Performing = { (action, user) async throws(PageRefusal) in
            try wishes.write(action, user)
        }
        let run = RunSource(
            id: "bench", name: station, book: JournalBook(journal), performing: events ? performing : nil)
        if events { run.read(STDIN_FILENO) }
        return try await serve(options, run, console) { await run.follow(journal: journal) }
    }

    /// Serves the page until Ctrl-C, while `follow` keeps what it shows up to date.
    private func serve(
        _ options: BenchServerOptions, _ shown: any BenchSource, _ console: Console,
        following follow: @escaping @Sendable () async -> Void
    ) async throws -> ExitStatus {
        do {
            let server = try BenchServer(options, shown)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await follow() }
                group.addTask {
                    try await server.run { page in await announce(page, server, console) }
                }
                defer { group.cancelAll() }
                try await group.next()
                try await group.waitForAll()
            }
        } catch let error as BenchServerError {
            throw CommandFailure(
                error.code, during: "serving the page", message: error.message, nextStep: error.nextStep)
        }
        return .done
    }

    private func announce(_ page: ServedPage, _ server: BenchServer, _ console: Console) async {
        var links: [(PageRole, String)] = []
        for role in PageRole.allCases.reversed() {
            let token = await server.newToken(for: role)
            if let link = page.address(signingInWith: token) { links.append((role, link)) }
        }
        console.event(
            JSONLine(
                "page",
                [
                    "addresses": .list(page.addresses.map { .text($0) }),
                    "links": .object(
                        Dictionary(uniqueKeysWithValues: links.map { ($0.rawValue, .text($1)) })),
                ]))
        guard !common.json else { return }
        for (role, link) in links { console.result("\(role.rawValue): \(link)") }
        console.talk("each link signs one browser in, once; Ctrl-C ends the page, and nothing else")
    }
}
