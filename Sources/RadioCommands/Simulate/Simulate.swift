import ArgumentParser
import BlueZ
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Simulation
import Synchronization
import UpdateModel

package struct Simulate: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Serve a simulated beacon on a real controller, for other programs to update.",
        discussion: """
            Examples:
              `beacon-dfu simulate tray.yaml --adapter hci1 --device 'name:Blinker*'`
              `beacon-dfu simulate --adapter hci1 --device F0:0D:BE:AC:06:00 --once --json`

            The beacon is one of a scenario file (docs/scenarios.md), or of the built-in tray of --adapter sim. It \
            advertises, and phones and other clients connect to it as they do to a real one. The program prints what \
            they do, the protocol rules that they break, and at the end a verdict. The exit code is 0 if an update \
            arrived, the image is right, and no rule was broken.
            A beacon with a random address is served at it: the controller is given that address, and has no BR/EDR \
            during that time. One with a public address is served at the controller's own address.
            """)

    @Argument(
        help: "The file of simulated beacons. Default: the built-in tray.",
        completion: .file(extensions: ["yaml"]))
    var scenario: String?
    @OptionGroup var choice: DeviceChoice
    @Option(
        explained: ArgumentHelp(
            "The kernel's controller, such as hci0, or its address.",
            discussion: "Default: the environment variable BEACON_DFU_ADAPTER, else the first powered one.",
            valueName: "adapter"))
    var adapter: AdapterChoice?
    @Flag(help: "Switch the controller on for this run, and off again after it.") var powerOn = false
    @Option("End after this time. Default: on Ctrl-C.", name: .customLong("for"), valueName: "seconds")
    var length: Double?
    @Flag(
        help: """
            End after the first update, once the beacon has been up again for ten seconds without a connection.
            """)
    var once = false
    @OptionGroup var common: CommonOptions

    var kernelAdapters: Int { 1 }
    var inputs: [String?] { [scenario] }
    var handledStopRequests: Int { 1 }

    func validate() throws {
        try require(seconds: length, of: "--for", atMost: 604_800)
        // A default that cannot be read throws a `CommandFailure`, which the run reports.
        do { _ = try controller } catch is CommandFailure {}
    }

    func addingAdvice(to failure: CommandFailure) -> CommandFailure {
        failure.namingDefaultAdapter(unless: adapter)
    }

    /// The controller that was named; nil for the first powered one.
    private var controller: ControllerName? {
        get throws {
            switch try adapter ?? .ofDefaults() {
            case .controller(let name): return name
            case nil: return nil
            case .controllers, .exclusive, .simulated:
                let source =
                    adapter == nil
                    ? Defaults.origin(of: .adapter).map { "\($0) names something else; " } ?? "" : ""
                throw ValidationError(
                    "\(source)--adapter must be one controller of this machine, such as hci0")
            }
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let loop = try EventLoop.shared.get()
        let name = try controller
        let (peers, locks) = try await AdapterChoice.scenario(path: scenario).peers(time: loop.clock)
        let peer = try await Self.beacon(choice.device, among: peers, at: loop.clock.now)
        let claim = try await claim(peer, locks)
        defer { withExtendedLifetime(claim) {} }
        let record = SimulationRecord { console.report($0.line, [$0.text]) }
        await peer.watch { record.note($0, at: loop.clock.now) }
        do {
            return try await KernelAdapter.withAdapter(name, poweringOn: powerOn, on: loop, log: log) {
                try await serve(peer, with: $0, on: loop, record, console)
            }
        } catch let error as AdapterError { throw Self.failure(of: error) }
    }

    /// The beacon that `selector` matches, or the only one of the scenario.
    private static func beacon(
        _ selector: DeviceSelector?, among peers: [any SimulatedPeer], at now: Duration
    ) async throws(CommandFailure) -> any SimulatedPeer {
        var matching: [(peer: any SimulatedPeer, words: String)] = []
        var all: [String] = []
        for peer in peers {
            let address = await peer.address
            let report = await peer.advertisement(at: now)
            let words = "\(address) (\(report?.data.name ?? "no name"))"
            all.append(words)
            let isMeant =
                selector.map { selector in
                    selector.names(address)
                        || report.map { selector.matches(BeaconSighting($0, at: now)) } ?? false
                } ?? true
            if isMeant { matching.append((peer, words)) }
        }
        switch matching.count {
        case 1: return matching[0].peer
        case 0:
            throw CommandFailure(
                .device.deviceNotFound, during: "choosing a beacon",
                message:
                    "no beacon of the scenario matches \(selector.map { "\($0)" } ?? "anything"); it has "
                    + all.joined(separator: ", "),
                nextStep: "select one of them with --device")
        default:
            throw CommandFailure(
                .device.deviceAmbiguous, during: "choosing a beacon",
                message: "a controller serves one beacon, but \(matching.count) match: "
                    + matching.map(\.words).joined(separator: ", "),
                nextStep: "select one of them with --device, and serve others with other controllers")
        }
    }

    private func serve(
        _ peer: any SimulatedPeer, with adapter: KernelAdapter, on loop: EventLoop,
        _ record: SimulationRecord, _ console: Console
    ) async throws -> ExitStatus {
        try await KernelPeripheral.withPeripheral(on: adapter) { peripheral in
            let service = BeaconService(
                peer: peer, peripheral: peripheral, adapter: adapter.name, time: loop.clock, record: record)
            let length = length.map { Duration.seconds($0) }
            let wasInterrupted = try await ActivityLine(on: console, time: loop.clock).showing(
                "serving a beacon with \(adapter.name), Ctrl-C ends", for: length
            ) {
                try await service.run(
                    for: length, once: once, until: { await StopSignals.nextStopRequest(by: loop) })
            }
            let verdict = record.verdict
            console.report(verdict.line, [verdict.text])
            return verdict.status(interrupted: wasInterrupted)
        }
    }

    /// The failure without the hint at simulated adapters, which cannot serve a beacon.
    private static func failure(of error: AdapterError) -> CommandFailure {
        let failure = CommandFailure(from: error)
        guard failure.code == .system.noAdapter else { return failure }
        return CommandFailure(
            failure.code, during: "serving a beacon", message: failure.message,
            nextStep: "plug a controller in, switch it on (--power-on), or load the kernel's module with "
                + "`sudo modprobe bluetooth`")
    }

    /// Locks the beacon, whose memory file other programs may share.
    private func claim(_ peer: any SimulatedPeer, _ locks: NamedLocks?) async throws -> NamedLocks.Share? {
        let address = await peer.address
        do throws(NamedLock.Owner) {
            return try locks?.share(in: "beacon/\(address)/\(address.kind.rawValue)")
        } catch {
            throw CommandFailure(
                .device.beaconInUse, during: "opening the beacon's memory",
                message: "\(address) is in use by \(error)")
        }
    }
}

/// Reports what happens to a served beacon as events, and keeps the verdict.
final class SimulationRecord: Sendable {
    private let log = Mutex(ClientLog())
    private let report: @Sendable (SimulationEvent) -> Void

    init(_ report: @escaping @Sendable (SimulationEvent) -> Void) { self.report = report }

    var hasUpdate: Bool { log.withLock { !$0.verdict.updates.isEmpty } }
    var verdict: ClientVerdict { log.withLock { $0.verdict } }

    func note(_ act: ClientAct, at now: Duration) {
        for event in log.withLock({ $0.note(act, at: now) }) { report(event) }
    }
    func connect(_ client: DeviceAddress) { log.withLock { $0.connect(client) } }
    func note(_ event: SimulationEvent) { report(event) }
}
