import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import UpdateModel

package struct Scan: RadioCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "List the beacons that can be heard.",
        discussion: """
            Example: `beacon-dfu scan --filter 'rssi>-70' --sort name`.

            Advertisements, scan responses and alternating frames of a beacon are combined. KIND is the kind of \
            beacon; MODE is what runs, as far as it is advertised: the application or the bootloader. A ? stands for a \
            value that may be in a frame that was not heard yet (--for auto waits for it), or for a kind that only a \
            connection shows (see `info`); a - for a value that is not advertised. --json prints everything that was \
            heard.
            """)

    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @Option(
        "How long to listen; auto: until all frames of every beacon were heard, at most 30. Default: 3, or 5 "
            + "if names are still missing; with --watch until Ctrl-C, or q at the table.",
        name: [.customLong("for"), .customLong("scan-for")], valueName: "seconds")
    var time: ListeningTime?
    @Option(
        "Wait this long for a beacon that passes the filters, and end once all its frames were heard.",
        valueName: "seconds")
    var wait: Double?
    @OptionGroup var selection: FilterOptions
    @Option("The order of the list: rssi, address, name, seen.", valueName: "order")
    var sort = SightingOrder.rssi
    @Flag(help: "Show changes as they happen: a live table, or in a pipe one line for each change.")
    var watch = false
    @Option(
        "The columns to show: \(ScanColumn.allCases.map(\.rawValue).joined(separator: ", ")).",
        valueName: "list")
    var columns: ScanColumns?
    @Flag(help: "Show every column except sensors and, without --catalogue, update; do not truncate.")
    var wide = false
    @Flag(help: "Print comma-separated values for a spreadsheet.") var csv = false
    @OptionGroup var releases: CatalogueOptions
    @Flag(
        help: ArgumentHelp(
            "Then connect, one after the other, to beacons whose update can only be chosen over a connection; "
                + "listens as with --for auto."))
    var connect = false
    @OptionGroup var secrets: SecretsOptions
    @Flag(help: "Add sensor values, in the table and in --json.") var sensors = false
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [radio.scenario, selection.file, releases.requireSignedCatalogue, secrets.path] }

    func validate() throws {
        try releases.refuseKeyAlone()
        try require(
            !watch || time != .auto, "give --for auto or --watch, not both: only --for auto ends by itself")
        try require(
            wait == nil || !watch && time == nil,
            "give only one of --wait, --for and --watch: --wait ends once all frames of the beacon were heard"
        )
        try require(seconds: wait, of: "--wait", atMost: 86_400)
        try require(!csv || !watch, "give --csv or --watch, not both: --csv is printed at the end of a scan")
        try require(!csv || !common.json, "give --csv or --json, not both")
        try require(
            columns?.columns.contains(.update) != true || releases.catalogue != nil,
            "the column update needs a catalogue: name it with --catalogue")
        try require(
            !connect || releases.catalogue != nil && !watch,
            "--connect requires --catalogue, and cannot be used with --watch")
        try require(secrets.secrets == nil || connect, "--secrets requires --connect")
        try require(!wide || columns == nil, "give --wide or --columns, not both")
    }

    private func layout(_ console: Console) async throws -> ScanLayout {
        let filters = try selection.filters()
        let addsPHY = columns == nil && !csv && !wide
        // A spreadsheet cell of a value that was not heard is empty, so the column `missing` names what was not heard.
        var columns = columns?.columns ?? ScanColumn.standard + (csv ? [.missing] : [])
        if wide { columns = ScanColumn.allCases.filter { $0 != .sensors && $0 != .update } }
        for (column, isWanted) in [(ScanColumn.update, releases.catalogue != nil), (.sensors, sensors)]
        where isWanted && !columns.contains(column) { columns.append(column) }
        return ScanLayout(
            filters: filters, order: sort, columns: columns, addsPHY: addsPHY, isCut: !wide, isCSV: csv,
            hasSensors: sensors, updates: try await updates(console), options: repeatedOptions)
    }

    private func updates(_ console: Console) async throws -> CatalogueLookup? {
        guard let folder = try await releases.folderIfNamed() else { return nil }
        // Without --connect no passwords are needed.
        let secretStore =
            connect ? try secrets.secretStore(capturing: radio.capture, console) : SecretStore(SecretsFile())
        return CatalogueLookup(folder.catalogue, by: secretStore)
    }

    private static let usualTime = Duration.seconds(3)

    private var listening: ListeningTime { time ?? (connect ? .auto : .seconds(Self.usualTime.seconds)) }

    var namedSecrets: String? { secrets.secrets }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.protecting([common.logFile])
        let layout = try await layout(console)
        guard !watch else {
            return try await radio.withAdapter(log: log, under: rule) {
                try await follow($0, layout, console)
            }
        }
        let result = try await radio.withAdapter(log: log, under: rule) { adapter in
            let begin = adapter.time.now
            let (heard, hasListened) = try await listen(with: adapter, layout, console)
            let end = adapter.time.now
            let planned = wait == nil && !hasListened ? listening.seconds : nil
            var result = ScanResult(
                heard: heard, seconds: planned ?? (end - begin) / .seconds(1), wall: WallTime(now: end),
                layout: layout)
            if connect { try await result.connect(with: adapter, telling: console) }
            return result
        }
        result.print(on: console)
        return .done
    }

    /// Listens for the requested time, or longer for names; with `--wait` until a beacon passes the filters and no part
    /// of its identity is missing.
    private func listen(
        with adapter: some Adapter, _ layout: ScanLayout, _ console: Console
    ) async throws -> (BeaconSightings, hasListened: Bool) {
        guard let wait else {
            let heard = try await adapter.listen(for: listening, telling: console)
            guard time == nil, !connect else { return (heard, false) }
            return try await adapter.listenForNames(
                for: Sighting.nameTimeout - Self.usualTime, after: heard, telling: console
            ) { one in layout.filters.allSatisfy { $0.isAboutName || $0.passes(one) } }
        }
        let status = SearchStatus(console: console, goal: "a beacon that passes the filters")
        let heard = try await adapter.listen(for: .seconds(wait), isSearch: true, showing: status) {
            layout.passes($0) && $0.identity.isComplete
        }
        guard heard.all.contains(where: layout.passes) else {
            throw CommandFailure(
                .device.deviceNotFound, during: "waiting for a beacon",
                message: "no beacon in range passes the filters (waited \(Quantities.seconds(wait)))",
                nextStep:
                    "run `beacon-dfu scan` without filters to see what is in range; --wait takes up to 86400 seconds",
                details: ["seen": .list(heard.byStrength.map { .object($0.members) })]
            ).addingCodedAdvice(for: [adapter])
        }
        return (heard, false)
    }

    /// Shows changes until `--for` is over, or else until q at the live table or Ctrl-C. Each prints the same results at
    /// the end; only Ctrl-C has its own exit code.
    private func follow(
        _ adapter: some Adapter, _ layout: ScanLayout, _ console: Console
    ) async throws -> ExitStatus {
        let time = adapter.time
        let wall = WallTime(now: time.now)
        let began = time.now
        let following = LiveScan(
            BeaconSightings(isComplete: adapter.passesEveryReport), layout: layout, console: console,
            wall: wall)
        let listen: @Sendable () async throws -> Void = {
            for await report in try await adapter.advertisements() {
                await following.add(report, at: time.now)
                // Without this check, a lost reader would be noticed only at the next write, perhaps hours later.
                if console.hasLostReader { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        let limit = self.time?.seconds
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    if let limit {
                        _ = try await time.within(.seconds(limit), listen)
                    } else {
                        try await listen()
                    }
                    return true
                }
                group.addTask {
                    await following.redrawEverySecond(by: time)
                    return false
                }
                if following.hasKeys { group.addTask { await Self.keys(of: following, time) } }
                while let isOver = try await group.next(), !isOver {}
                group.cancelAll()
            }
        } catch {
            await following.end()
            guard Task.isCancelled else { throw error }
        }
        await following.end()
        let result = ScanResult(
            heard: await following.heard, seconds: (time.now - began) / .seconds(1), wall: wall,
            layout: layout, keys: await following.keys)
        if await following.isLive { result.print(on: console) } else { result.printSummary(on: console) }
        return Task.isCancelled ? .interrupted : .done
    }

    /// Passes on keys typed at the live table; returns true when a key has ended the watch, false without a keyboard.
    private static func keys(of following: LiveScan, _ time: Timekeeper) async -> Bool {
        guard let loop = try? EventLoop.shared.get() else { return false }
        return await KeyInput.read(from: STDIN_FILENO, on: loop) { await following.press($0, at: time.now) }
    }
}
