import ArgumentParser
import BenchPage
import Dispatch
import Glibc
import Tray

/// Serves a page with invented benches, for `Tests/BenchPage/run` and for manual viewing.
///
/// Prints the address on stdout, with a token for each role. Reads from stdin: `token ROLE`, `step`, `churn COUNT`,
/// `silence`, `speak`; with the scene `pipe`, the output of `beacon-dfu batch --json`.
@main
struct BenchPageDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bench-page-demo")

    @Argument(help: "mixed, held, past, silent, many, stations, floor, hostile, empty, scan or pipe.")
    var scene =
        "mixed"
    @Option(help: "The port; 0 for any.") var port = 0
    @Option(help: "Listen on this address instead of the loopback.") var listen: String?
    @Option(help: "Listen on a socket instead.") var socket: String?
    @Option(help: "Another name of this machine.") var name: [String] = []
    @Option(help: "Certificate in PEM.") var certificate: String?
    @Option(help: "Its key in PEM.") var key: String?
    @Option(help: "With pipe: the journal of the run.") var journal: String?
    @Option(help: "The token for figures.") var metricsToken: String?
    @Flag(help: "Read-only for all, for wall displays.") var wall = false
    @Flag(help: "Without TLS on a network.") var insecureNetwork = false

    func run() async throws {
        var place = BenchServerOptions.Place.loopback(port: port)
        if let listen { place = .network(host: listen, port: port) }
        if let socket { place = .socket(path: socket) }
        var options = BenchServerOptions(place)
        (options.names, options.isWall, options.isInsecureNetworkAllowed) = (name, wall, insecureNetwork)
        if let certificate, let key { options.tls = .init(certificate: certificate, key: key) }
        options.metricsToken = metricsToken
        let source = source
        let server = try BenchServer(options, source)
        if let demo = source as? DemoSource { Self.obey(demo, server) }
        try await server.run { page in
            for role in PageRole.allCases {
                say("token \(role.rawValue) \(await server.newToken(for: role))")
            }
            for address in page.addresses { say("address \(address)") }
            say("ready")
        }
    }

    private var source: any BenchSource {
        guard scene == "pipe" else {
            return DemoSource((Scene(rawValue: scene) ?? .mixed).state(at: .now)) { say($0) }
        }
        let source = RunSource(id: "here", name: "here", journal: journal.map { JournalReader($0) })
        source.read(STDIN_FILENO)
        if let journal { Task { await source.follow(journal: journal) } }
        return source
    }

    /// Carries out the commands from stdin until it ends.
    private static func obey(_ source: DemoSource, _ server: BenchServer) {
        DispatchQueue(label: "commands").async {
            var whole: BenchState?
            while let line = readLine() {
                let words = line.split(separator: " ")
                switch words.first {
                case "token":
                    guard let role = words.last.flatMap({ PageRole(rawValue: String($0)) }) else { continue }
                    Task { say("token \(role.rawValue) \(await server.newToken(for: role))") }
                case "step": source.step()
                case "churn":
                    for turn in 0..<(words.last.flatMap { Int($0) } ?? 1) {
                        source.churn(turn)
                        usleep(260_000)
                    }
                    say("churned")
                case "without":
                    whole = source.state
                    source.change { state in
                        for index in state.benches.indices { state.benches[index].units.removeFirst() }
                    }
                case "whole": if let whole { source.change { $0 = whole } }
                case "silence":
                    source.change { state in
                        for index in state.benches.indices {
                            state.benches[index].silence = Bench.Silence(
                                since: .now, reason: "the run sends no more events")
                        }
                    }
                case "speak":
                    source.change { state in
                        for index in state.benches.indices { state.benches[index].silence = nil }
                    }
                case "hold":
                    source.change { state in
                        for index in state.benches.indices {
                            state.benches[index].hold = Bench.Hold(
                                code: "paused", message: "for a test", since: .now)
                        }
                    }
                default: continue
                }
            }
        }
    }
}

/// Writes a line and flushes it, since its reader waits for it.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}
