import ArgumentParser
import Catalogue
import Tray

struct Batch: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Update many beacons: a tray from a file, or all that meet a condition.",
        discussion: """
            Examples: `beacon-dfu batch tray.yaml`; without a tray file `beacon-dfu batch blinker.zip --rule 'model=K6' \
            --expected 48`; after an interruption `beacon-dfu batch tray.yaml --resume`; with simulated beacons \
            `beacon-dfu batch firmware-samples/nordic/blinker-1.1.0.zip --rule 'name=Blinker*' --adapter sim`.
            """)

    @Argument(
        help: "The tray file; with --rule the firmware package, where no catalogue chooses it.",
        completion: .file())
    var tray: String?
    @OptionGroup(title: "Units") var units: UnitOptions
    @OptionGroup(title: "Run") var course: CourseOptions
    @OptionGroup(title: "Record") var record: RecordOptions
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var install: InstallOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] {
        [tray, radio.scenario, units.codes, units.source.requireSignedCatalogue] + units.config
            + install.inputs
    }
    var needsKernel: Bool { radio.needsKernel }
    var heededWishes: Int { 2 }

    func validate() throws {
        guard units.fromScan == nil || !(course.resume || course.retryFailed) else {
            throw ValidationError("--from-scan writes a tray file, and runs none")
        }
        guard tray != nil || !units.rule.isEmpty else {
            throw ValidationError("name the tray file, or the units with --rule and a firmware package")
        }
        guard tray == nil || units.rule.isEmpty || units.source.catalogue == nil else {
            throw ValidationError("a package or --catalogue: one of them says what the units get")
        }
        guard tray != nil || units.source.catalogue != nil else {
            throw ValidationError("name the firmware package for --rule, or --catalogue to choose releases")
        }
        guard !units.rule.isEmpty || units.source.catalogue == nil else {
            throw ValidationError("--catalogue goes with --rule; a tray file names its own")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let source = try source()
        let planner = try planner(for: source, console)
        let reports = try ReportFiles(record.report)
        try reports.check(under: outputs)
        if let fromScan = units.fromScan { return try await writeTray(of: source, to: fromScan, console) }
        return try await run(source, planner, reports, console)
    }

    /// The tray, with what the command line says besides.
    private func source() throws -> TraySource {
        var source: TraySource
        if units.rule.isEmpty, let tray {
            source = try TraySource(path: tray)
        } else {
            let channel = units.beta ? CatalogueChannel.beta : .release
            let firmware =
                tray.map(TrayFirmware.file) ?? .catalogue(folder: units.source.path, channel: channel)
            source = TraySource(units.rule, getting: firmware, expecting: units.expected)
        }
        if !units.config.isEmpty { source.settings = units.config }
        source.station = record.station ?? source.station
        source.operatorName = record.operatorName ?? source.operatorName
        source.orderNumber = record.orderNumber ?? source.orderNumber
        source.limits = try course.limits(over: source.limits)
        return source
    }

    /// What decides about each unit. Every file that is named is read and judged before anything is done to a unit.
    private func planner(for source: TraySource, _ console: Console) throws -> BatchPlanner {
        let (common, bySlot) = try source.sources(
            leavingBattery: !install.minBattery.isEmpty, signedBy: units.source.requireSignedCatalogue)
        let planner = BatchPlanner(
            common: common, sources: bySlot, install: install,
            acceptsReappearance: course.accept.contains(.reappeared),
            settings: try TraySettings(source.settings),
            secrets: try install.secrets.keeper(capturing: radio.capture, console))
        try planner.checkFiles()
        return planner
    }
}
