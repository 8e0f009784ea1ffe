import ArgumentParser
import Glibc
import PacketSockets
import SimulatedRadio
import Timing

/// `--adapter hci0`, `--adapter sim` or `--adapter sim:FILE`.
enum AdapterChoice: Equatable, ExpressibleByArgument {
    case controller(String)
    case simulated(scenario: String?)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("sim", let file): self = .simulated(scenario: file)
        case (let name?, nil): self = .controller(name)
        default: return nil
        }
    }
}

/// Which adapter a command uses.
struct AdapterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The radio: 'sim' for a built-in tray of simulated beacons, 'sim:FILE' for a scenario in YAML.",
            discussion: "Default: the environment variable BEACON_DFU_ADAPTER.", valueName: "adapter"))
    var adapter: AdapterChoice?

    /// Runs `body` with the chosen adapter.
    func withAdapter<Value: Sendable>(
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let scenario = try scenario()
        let poller: EpollThread
        do throws(SocketError) { poller = try EpollThread.shared.get() } catch {
            throw CommandFailure(
                "internal-error", during: "starting",
                message: "\(error.call) failed with error \(error.errno)")
        }
        return try await scenario.play(time: Timekeeper(ContinuousClock()), readiness: poller, body)
    }

    private func scenario() throws(CommandFailure) -> Scenario {
        let choice: AdapterChoice?
        if let adapter { choice = adapter } else { choice = try Self.environmentChoice() }
        switch choice {
        case .simulated(nil): return .builtIn
        case .simulated(let path?):
            do throws(ScenarioError) { return try Scenario(path: path) } catch {
                throw CommandFailure(
                    error.isMissing ? "file-not-found" : "scenario-invalid", during: "reading the scenario",
                    message: "\(error)")
            }
        case .controller(let name):
            throw CommandFailure(
                "no-adapter", during: "opening the adapter",
                message: "\(name) cannot be opened: this version has simulated adapters only")
        case nil:
            throw CommandFailure(
                "no-adapter", during: "choosing an adapter",
                message: "no adapter was given, and this version has simulated adapters only")
        }
    }

    private static func environmentChoice() throws(CommandFailure) -> AdapterChoice? {
        guard let text = getenv("BEACON_DFU_ADAPTER").map({ String(cString: $0) }), !text.isEmpty else {
            return nil
        }
        guard let choice = AdapterChoice(argument: text) else {
            throw CommandFailure(
                "no-adapter", during: "choosing an adapter",
                message: "BEACON_DFU_ADAPTER is '\(text)', which is no adapter")
        }
        return choice
    }
}
