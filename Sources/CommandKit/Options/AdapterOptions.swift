package import ArgumentParser
import BlueZ
package import Bluetooth
import Glibc
package import Logging
import Simulation
import Tray

package struct AdapterOptions: ParsableArguments {
    @Option(
        explained: ArgumentHelp(
            "The radio: hci0 and so on, or its address, 'sim' for a built-in tray of simulated beacons, or 'sim:FILE' "
                + "for a scenario in YAML.",
            discussion: """
                Default: from BEACON_DFU_ADAPTER or the file of defaults, else the first powered one. An adapter that \
                is plugged in again is recognised by its address, whatever number it gets.

                'exclusive:hci1' takes an adapter away from the kernel for this run, and gives it back afterwards. It \
                connects to many beacons at once, and hears extended and long-range advertising. It needs \
                CAP_NET_ADMIN, does not pair, and has no L2CAP channels besides attributes.
                """,
            valueName: "adapter"), completion: .list(["sim", "hci0", "hci1"]))
    package var adapter: AdapterChoice?

    @Flag(help: "Switch a kernel adapter on for this run, and off again afterwards.") package var powerOn =
        false

    @Flag(
        help: ArgumentHelp(
            "On a kernel adapter, also hear and connect to beacons on LE Coded (long range).",
            discussion: """
                It then listens on LE 1M only half of the time. A link that begins on LE Coded stays there unless the \
                beacon changes it: it reaches further, and is at least four times slower than on LE 2M. Some adapters \
                claim LE Coded and fail; `doctor` shows what an adapter claims. An exclusive adapter needs no such \
                option. Among the beacons of 'sim' is one on LE Coded.
                """))
    package var coded = false

    @Option(
        help: ArgumentHelp(
            "Record the attribute traffic to this file, for Wireshark.",
            discussion: """
                Only an earlier recording is overwritten, and only once there is something to record. \
                Advertisements are not recorded.
                """,
            valueName: "file"),
        completion: .file())
    package var capture: String?

    package var isSimulated: Bool {
        get throws(CommandFailure) { if case .simulated = try choice { true } else { false } }
    }

    private var choice: AdapterChoice? { get throws(CommandFailure) { try .ofDefaults(unless: adapter) } }

    /// Whether the adapter is simulated only because of a default, not by the command line.
    package var isSimulatedByDefault: Bool { adapter == nil && (try? isSimulated) == true }

    /// The number of kernel adapters that are used at the same time; 0 if the defaults cannot be read.
    package var kernelAdapters: Int { do { return try choice?.count ?? 1 } catch { return 0 } }

    /// Whether an adapter is used exclusively; false if the defaults cannot be read.
    package var isExclusive: Bool { if case .exclusive = try? choice { true } else { false } }

    /// The given options that decide which beacons are heard, for a command that uses one adapter: of several, the first.
    var given: [RepeatedOptions.Option] {
        let name =
            if case .controllers(let names)? = adapter { names.first.map { "\($0)" } } else { adapter?.text }
        return (name.map { [("--adapter", $0)] } ?? []) + (powerOn ? [("--power-on", nil)] : [])
            + (coded ? [("--coded", nil)] : [])
    }

    package var scenario: String? { if case .simulated(let path) = try? choice { path } else { nil } }

    /// Runs `body` with the chosen adapter, and with `--capture` records it if `rule` allows the file.
    package func withAdapter<Value: Sendable>(
        log: Logger, under rule: OutputRule, _ body: (any Adapter) async throws -> Value
    ) async throws -> Value {
        try await withNamedAdapter(log: log, under: rule) { try await body($0.adapter) }
    }

    /// Like ``withAdapter(log:under:_:)``, with the adapter's name.
    package func withNamedAdapter<Value: Sendable>(
        log: Logger, under rule: OutputRule, _ body: (NamedAdapter) async throws -> Value
    ) async throws -> Value {
        let choice = try choice
        let recording = try capture.map { (path: String) throws(CommandFailure) in
            try Self.recording(at: path, under: rule, log)
        }
        let loop = try EventLoop.shared.get()
        switch choice {
        case .simulated(let path):
            return try await scenario(at: path, log).play(time: loop.clock, readiness: loop) {
                try await body(NamedAdapter($0.name, try Self.recorded($0, in: recording)))
            }
        case .controllers(let names):
            throw CommandFailure(
                .tray.adapterSingle, during: "choosing an adapter",
                message:
                    "\(names.map { "\($0)" }.joined(separator: ",")) are several adapters; this command uses one"
            )
        case .exclusive(let name):
            return try await UserChannelAdapter.withAdapter(name, on: loop, log: log) {
                try await body(NamedAdapter($0.name, key: $0.key, try Self.recorded($0, in: recording)))
            }
        case .controller, nil:
            let name = choice?.names.first
            return try await KernelAdapter.withAdapter(
                name, poweringOn: powerOn, coded: coded, on: loop, log: log
            ) {
                try await body(NamedAdapter($0.name, key: $0.key, try Self.recorded($0, in: recording)))
            }
        }
    }

    /// Runs `body` with all chosen adapters. Only one can be recorded.
    package func withAdapters<Value: Sendable>(
        log: Logger, under rule: OutputRule, _ body: ([NamedAdapter]) async throws -> Value
    ) async throws -> Value {
        switch try choice {
        case .simulated(let path) where capture == nil:
            let loop = try EventLoop.shared.get()
            return try await scenario(at: path, log).playAll(time: loop.clock, readiness: loop) {
                try await body($0.map { NamedAdapter($0.name, $0) })
            }
        case .controllers(let names):
            try require(capture == nil, "--capture records one adapter, but there are \(names.count)")
            return try await withControllers(names[...], [], on: try EventLoop.shared.get(), log: log, body)
        case .simulated, .controller, .exclusive, nil:
            return try await withNamedAdapter(log: log, under: rule) { try await body([$0]) }
        }
    }

    private func scenario(at path: String?, _ log: Logger) throws(CommandFailure) -> Scenario {
        var scenario = try AdapterChoice.scenario(path: path)
        guard coded else { return scenario }
        scenario.selectCoded()
        for adapter in scenario.adapters where adapter.coded == .missing {
            log.warning("\(adapter.name) has no LE Coded: beacons on it are not heard")
        }
        return scenario
    }

    private func withControllers<Value: Sendable>(
        _ names: ArraySlice<ControllerName>, _ open: [NamedAdapter], on loop: EventLoop, log: Logger,
        _ body: ([NamedAdapter]) async throws -> Value
    ) async throws -> Value {
        guard let name = names.first else { return try await body(open) }
        return try await KernelAdapter.withAdapter(
            name, poweringOn: powerOn, coded: coded, on: loop, log: log
        ) { adapter in
            let adapter = NamedAdapter(adapter.name, key: adapter.key, adapter)
            if let other = open.first(where: { $0.key == adapter.key }) {
                throw ValidationError(
                    other.name == adapter.name
                        ? "--adapter names \(adapter.name) twice, by its number and by its address"
                        : "\(other.name) and \(adapter.name) have the same address \(adapter.key): only one of them can be "
                            + "used")
            }
            return try await withControllers(names.dropFirst(), open + [adapter], on: loop, log: log, body)
        }
    }

    private static func recording(
        at path: String, under rule: OutputRule, _ log: Logger
    ) throws(CommandFailure) -> CaptureFile {
        // A limit on file sizes ends the recording, not the program.
        signal(SIGXFSZ, SIG_IGN)
        let (descriptor, isNew) = try OutputFile.open(path, as: .capture, under: rule)
        return CaptureFile(path: path, descriptor: descriptor, isNew: isNew) { loss in
            log.warning(
                "\(loss.path) cannot be written any further (\(Self.reason(loss))); the command continues")
        }
    }

    private static func recorded(
        _ adapter: some Adapter, in file: CaptureFile?
    ) throws(CommandFailure) -> any Adapter {
        guard let file else { return adapter }
        do throws(CaptureError) { try file.begin() } catch {
            throw CommandFailure(
                .command.fileNotWritable, during: "opening the capture",
                message: "\(error.path): \(reason(error))")
        }
        return CapturingAdapter(adapter, into: file)
    }

    private static func reason(_ error: CaptureError) -> String { String(cString: strerror(error.errno)) }

    package init() {}
}

extension CommandFailure {
    /// The failure to hear a beacon, with the advice on LE Coded if none of `adapters` listens there.
    package func addingCodedAdvice(for adapters: [any Adapter]) -> CommandFailure {
        CodedReception.advice(of: adapters).map { adding(toNextStep: $0) } ?? self
    }
}

extension CodedReception {
    /// What to do about a beacon that `adapters` may not hear on LE Coded; nil if one of them listens there, or if an
    /// adapter cannot tell.
    package static func advice(of adapters: [any Adapter]) -> String? {
        let reception = Set(adapters.map(\.coded))
        if reception.contains(.selected) { return nil }
        if reception.contains(.notSelected) {
            return "if it may be on LE Coded (long range), add --coded: without it no beacon there is heard"
        }
        guard reception == [.missing] else { return nil }
        return adapters.count == 1
            ? "this adapter does not hear beacons on LE Coded (long range)"
            : "none of these adapters hears beacons on LE Coded (long range)"
    }
}

package struct NamedAdapter: Sendable {
    /// The name at the start of the run, such as `hci0`.
    package let name: String
    /// The address, which identifies it even if its number changes; for simulated adapters the name.
    package let key: String
    package let adapter: any Adapter

    init(_ name: String, key: String? = nil, _ adapter: any Adapter) {
        (self.name, self.key, self.adapter) = (name, key ?? name, adapter)
    }

    /// Throws if a kernel adapter cannot scan. Simulated adapters always can.
    package func requireListening() async throws(CommandFailure) {
        guard adapter is KernelAdapter else { return }
        do throws(AdapterError) { _ = try await adapter.advertisements() } catch {
            let failure = CommandFailure(from: error)
            guard !failure.message.contains(name) else { throw failure }
            throw failure.replacing(failure.code, "\(name): \(failure.message)")
        }
    }
}
