import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import FoundationEssentials
import Tray
import TrayCommands
import TrayJournal
import UpdateModel
import Work
import WorkServer

struct Work: RadioCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Work on an order: claim the beacons in range, update them, deliver the results.",
        discussion: """
            Examples: `beacon-dfu-station work WO-17 --rule 'name=Lamp*' --rule 'rssi>-55'`; with slots `beacon-dfu-station work \
            WO-17 --tray tray.yaml`; for a shift without a network `beacon-dfu-station work WO-17 --tray tray.yaml --lease 8h`.

            Only units that the work server grants are touched. If it is not reachable, claimed units are finished while their \
            claims last, and results wait in the journal.
            """)

    @Argument(help: "The order's number.") var order: String
    @Option("The tray file, whose slots are claimed.", valueName: "file", completion: .file())
    var tray: String?
    @Option(
        help: ArgumentHelp(
            "The length of claims, for example 120s, 30m or 8h; renewed while the work server is reachable. Default: 2m.",
            valueName: "time"), transform: LeaseTime.reading)
    var lease = LeaseTime(length: .seconds(120))
    @Option("Claim at most this many units at a time.", valueName: "units") var most: Int?
    @Flag(help: "After each tray claim again, until the order is done or cancelled.") var follow = false
    @Option(
        "The folder for files of the work server. Default: the user's cache.", valueName: "folder",
        completion: .directory)
    var cache: String?
    @OptionGroup(title: "Work server") var source: WorkServerOptions
    @OptionGroup(title: "Units") var units: UnitOptions
    @OptionGroup(title: "Run") var runOptions: RunOptions
    @OptionGroup(title: "Record") var record: RecordOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var install: InstallOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [tray] + TrayCommand.inputs(units, radio, install) }
    var namedSecrets: String? { install.secrets.secrets }
    var handledStopRequests: Int { 2 }

    func validate() throws {
        try require(
            tray != nil || units.hasRule,
            "name the units: --tray FILE, or --rule with a condition, for example 'rssi>-55'")
        if let flaw = units.flawUnderOrder(hasTrayFile: tray != nil) { throw ValidationError(flaw) }
        try require(
            !follow || !record.view,
            "--view serves one tray, but --follow processes many: use `beacon-dfu-station view --bench`")
        try require(most.map { (1...1000).contains($0) } ?? true, "--most is a number from 1 to 1000")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let journal = try record.journalPlace
        let joined = try StationFile.required(beside: journal)
        let session = try source.session(beside: journal)
        let server = PostgresWork(over: session)
        let pace = Self.pace
        let loop = try EventLoop.shared.get()
        let listener = WorkServerListener(try source.settings(beside: journal), on: loop, time: loop.clock)
        var units = units
        units.catalogueKey = units.catalogueKey ?? joined.catalogueKey
        let work = TrayWork(
            pace == 1 ? server : PacedWork(server, pace: pace), order: order, lease: lease.length,
            most: most ?? .max, station: joined.station, pace: pace,
            hints: { [order] ring in await listener.listen { if $0.concerns(workAt: order) { ring() } } })
        let command = try TrayCommand(
            tray: tray, units: units, runOptions: runOptions, record: record, radio: radio, install: install,
            common: common, outputs: outputs.protecting(inputs), work: work,
            cache: FileCache(try Self.cacheFolder(cache), mirror: try fileMirror(joined)?.file) {
                console.warn(.station.mirrorUnused, "\($0.code): \($0.message); using the work server")
            })
        return try await session.closing { _ in
            try await follow ? followed(command, work, console) : command.perform(console)
        }
    }

    /// Runs one tray after another until the order is done or cancelled, or the program is stopped.
    private func followed(
        _ command: TrayCommand, _ work: TrayWork, _ console: Console
    ) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let time = loop.clock.paced(work.pace)
        var worst = ExitStatus.done
        var command = command
        while true {
            let status: ExitStatus
            do { status = try await command.perform(console) } catch {
                let failure = CommandFailure(from: error)
                guard failure.code.mayPass else { throw error }
                console.report(failure.line) { console.notice("\(failure.code): \(failure.message)") }
                status = failure.exit
            }
            if status == .interrupted { return status }
            command = command.asNewRun
            if status == .failed { worst = .failed }
            // If the work server cannot be reached, the state is nil, and the next tray tries again.
            let state = try? await work.state()
            if state == .done || state == .cancelled { return worst }
            try await cancellingAtStopRequest { try await time.sleep(for: Self.pauseBetweenTrays) }
        }
    }

    private static let pauseBetweenTrays = Duration.seconds(15)

    /// How many times as fast as real time leases end, from 1 to 1000. Only for tests, which cannot wait for minutes.
    private static var pace: Double {
        ProcessInfo.processInfo.environment["BEACON_DFU_STATION_PACE"].flatMap(Double.init).map {
            min(max($0, 1), 1000)
        } ?? 1
    }

    private func fileMirror(_ joined: StationFile) throws -> FileMirror? {
        guard let text = joined.mirror else { return nil }
        guard let address = MirrorAddress(text) else {
            throw CommandFailure(
                .workServer.stationInvalid, during: "reading the station",
                message: "'\(text)' is not the address of a mirror")
        }
        return FileMirror(address, time: try EventLoop.shared.get().clock)
    }

    /// The folder for files of the work server: `named`, or the default.
    static func cacheFolder(_ named: String? = nil) throws -> String {
        if let named { return named }
        let environment = [String: String].ofProcess
        guard
            let base = environment.folder("CACHE_DIRECTORY") ?? environment.folder("XDG_CACHE_HOME")
                ?? environment.folder("HOME", "/.cache")
        else { throw ValidationError("neither HOME nor XDG_CACHE_HOME is set: name a folder with --cache") }
        return base + "/beacon-dfu"
    }
}

/// A time from 90 s to 24 h as users write it: `120s`, `30m`, `8h`; a number without a unit is seconds.
struct LeaseTime: Sendable, CustomStringConvertible {
    let length: Duration

    /// In the largest unit that gives a whole number.
    var description: String {
        let seconds = Int(length / .seconds(1))
        if seconds.isMultiple(of: 3600) { return "\(seconds / 3600) h" }
        return seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    static func reading(_ text: String) throws -> LeaseTime {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
        let factor = text.last.flatMap { units[$0] }
        let digits = factor == nil ? Substring(text) : text.dropLast()
        guard let count = Int(digits), (1...1_000_000).contains(count),
            let seconds = Optional(count * (factor ?? 1)), (90...86_400).contains(seconds)
        else { throw ValidationError("a time is from 90s to 24h, for example 120s, 30m or 8h") }
        return LeaseTime(length: .seconds(seconds))
    }
}
