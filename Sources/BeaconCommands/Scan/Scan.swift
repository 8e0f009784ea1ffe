import ArgumentParser
import BeaconIdentity
import Radio
import Timing

struct Scan: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the beacons that can be heard.",
        discussion: """
            Example: `beacon-dfu scan --filter 'rssi>-70' --sort name`.

            Advertisements and scan responses of a beacon count together. MODE is what runs, as far as it is \
            advertised: the application or the bootloader; TAKES is the kind of update that is taken. --json prints \
            everything that was heard.
            """)

    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Option(
        name: [.customLong("for"), .customLong("scan-for")],
        help: ArgumentHelp("How long to listen. Default: 3, with --watch until Ctrl-C.", valueName: "seconds")
    )
    var seconds: Double?
    @Option(
        name: .customLong("filter"), parsing: .singleValue,
        help: ArgumentHelp(
            "List only matching beacons.", discussion: SightingFilter.help, valueName: "condition"),
        transform: Self.filter)
    var filters: [SightingFilter] = []
    @Option(help: ArgumentHelp("The order of the list: rssi, address, name, seen.", valueName: "order"))
    var sort = SightingOrder.rssi
    @Flag(help: "Show changes as they happen: a live table, or in a pipe one line for each change.")
    var watch = false
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [radio.scenario] }

    func validate() throws {
        guard let seconds else { return }
        guard seconds > 0, seconds <= 3600 else {
            throw ValidationError("--for is a number of seconds, from above 0 to 3600")
        }
    }

    private static func filter(_ text: String) throws -> SightingFilter {
        do throws(FilterError) { return try SightingFilter(text) } catch {
            throw ValidationError("\(error)")
        }
    }

    var needsKernel: Bool { radio.needsKernel }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        guard !watch else {
            return try await radio.withAdapter(log: log, under: rule) { try await follow($0, console) }
        }
        let seconds = seconds ?? 3
        let heard = try await radio.withAdapter(log: log, under: rule) { adapter in
            let heard = try await adapter.listen(for: .seconds(seconds)) { _ in false }
            return (heard, WallTime(now: adapter.time.now))
        }
        ScanResult(heard: heard.0, filters: filters, order: sort, seconds: seconds, wall: heard.1)
            .print(on: console)
        return .done
    }

    /// Ctrl-C is how a watch without `--for` ends: its results are printed as after any other end, and only the exit
    /// code tells the difference.
    private func follow(_ adapter: some Adapter, _ console: Console) async throws -> ExitStatus {
        let time = adapter.time
        let wall = WallTime(now: time.now)
        let began = time.now
        let following = Following(
            BeaconSightings(isComplete: adapter.passesEveryReport), filters: filters, order: sort,
            console: console, wall: wall)
        let listen: @Sendable () async throws -> Void = {
            for await report in try await adapter.advertisements() {
                await following.take(report, at: time.now)
                // The output has no reader any more, and the next write that would fail may be hours away.
                if StandardOutput.isOrphaned { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        do {
            if let seconds {
                _ = try await time.within(.seconds(seconds), listen)
            } else {
                try await listen()
            }
        } catch {
            await following.end()
            guard Task.isCancelled else { throw error }
        }
        await following.end()
        let result = ScanResult(
            heard: await following.heard, filters: filters, order: sort,
            seconds: (time.now - began) / .seconds(1), wall: wall)
        if await following.isLive { result.print(on: console) } else { result.printSummary(on: console) }
        return Task.isCancelled ? .interrupted : .done
    }
}
