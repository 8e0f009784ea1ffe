import ArgumentParser
import BlueZ
import Bluetooth
import CommandKit
import Simulation
import UpdateModel

package struct Doctor: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check whether this machine can flash beacons, and how to fix what prevents it.",
        discussion: "Examples: `beacon-dfu doctor --adapter hci0`; before a shift `beacon-dfu doctor --tray`."
    )

    @Option(
        "Check only this adapter, or these; 'sim' needs nothing. Default: BEACON_DFU_ADAPTER, else all adapters.",
        valueName: "adapter")
    var adapter: AdapterChoice?
    @Flag(help: "Also check what a shift of trays needs: air, links, journal, disk, clock, catalogue.")
    var tray = false
    @Option("With --tray, how long each adapter listens.", name: .customLong("for"), valueName: "seconds")
    var listening = 3.0
    @Option("With --tray, a catalogue to check.", valueName: "dir", completion: .directory)
    var catalogue: String?
    @OptionGroup var journal: JournalOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try require(seconds: listening, of: "--for", atMost: 3600)
        try require(
            tray || catalogue == nil && journal.journal == nil,
            "\(catalogue == nil ? "--journal" : "--catalogue") requires --tray")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        var checks = try await checks()
        if tray {
            checks += Check.bench(try await bench(!checks.contains { $0.verdict == .problem }, console))
        }
        for check in checks { console.report(check) }
        let problems = checks.filter { $0.verdict == .problem }
        return problems.first?.exit ?? .done
    }

    /// The facts about the bench; the air only if the adapters can be used.
    private func bench(_ isUsable: Bool, _ console: Console) async throws -> BenchFacts {
        let isSimulated = if case .simulated? = try chosen { true } else { false }
        var facts = await BenchSurvey.machine(journal: try journal.path(simulated: isSimulated))
        if isUsable {
            let radio = try AdapterOptions.parse(try chosen.map { ["--adapter", $0.text] } ?? [])
            facts.isSimulated = try radio.isSimulated
            facts.air = try await radio.withAdapters(log: try common.logger(under: outputs), under: outputs) {
                try await BenchSurvey.air(of: $0, for: .seconds(listening), telling: console)
            }
        }
        facts.catalogue = catalogue.map(BenchSurvey.catalogue)
        return facts
    }

    private func checks() async throws -> [Check] {
        let adapter = try chosen
        if case .simulated(let path) = adapter {
            return try AdapterChoice.scenario(path: path).adapters.map(Check.controller)
        }
        let loop = try EventLoop.shared.get()
        let survey = try await BluetoothSurvey.take(time: loop.clock, readiness: loop)
        let origin = self.adapter == nil ? Defaults.origin(of: .adapter) : nil
        return Check.list(
            survey, adapters: adapter?.names ?? [], isExclusive: hasExclusiveAdapter, from: origin,
            program: SharedFiles.ownProgram ?? "beacon-dfu")
    }

    private var chosen: AdapterChoice? { get throws(CommandFailure) { try .ofDefaults(unless: adapter) } }

    func addingAdvice(to failure: CommandFailure) -> CommandFailure {
        failure.namingDefaultAdapter(unless: adapter)
    }

    /// Each adapter uses a channel of its own while it listens; the survey before uses one for all adapters.
    var kernelAdapters: Int { ((try? chosen) ?? nil)?.count ?? 1 }
    var hasExclusiveAdapter: Bool { if case .exclusive = try? chosen { true } else { false } }
}
