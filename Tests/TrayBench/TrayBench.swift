import ArgumentParser
import Bluetooth
import Firmware
import KKM
import Nordic
import Simulation
import Synchronization
import Tray
import UpdateBench
import UpdateEngine
import UpdateModel

/// A tray of simulated beacons, run in virtual time.
struct TrayBench: Sendable {
    /// The last byte of each unit's address; bootloaders are at the next.
    var numbers: [Int] = Array(0..<8)
    /// The firmware of the unit in each place.
    var firmware: @Sendable (Int) -> TestFirmware = { _ in TestFirmware(count: 8000) }
    var rules = ScheduleRules(hasGolden: false)
    var attempts = 1
    /// The links that the tray permits; nil to learn their number.
    var links: Int? = 4
    var controllers = [SimulatedController()]
    /// The flash timing of the units, and the size of the firmware.
    var timing = FlashTiming.instant
    var link: LinkModel? = LinkModel()
    var waitsOnHold = false
    /// Whether units pass that come back without reporting their version.
    var acceptsReappearance = false
    /// The changes that a unit's settings need, in words; nil if there are no settings.
    var settings: [String]?
    /// How long it takes to write them.
    var settingsTime = Duration.zero
    /// The failure by which a unit reports that it has its firmware.
    var meaningInstalled: FailureCode = .device.sameVersion
    var change: @Sendable (Int, inout NordicDescription) -> Void = { _, _ in }
    var faults: @Sendable (Int) -> [Fault] = { _ in [] }
    var target: @Sendable (Int, DeviceAddress) -> TrayTarget = {
        TrayTarget(slot: "A\($0)", device: .address($1))
    }
    /// Units that are listed but absent.
    var missing: Set<Int> = []
    /// Whether the journal accepts this entry.
    var takes: @Sendable (BenchJournal.Entry) -> Bool = { _ in true }
    /// The blocker of a unit, or of a step at it.
    var blocker: @Sendable (String, DeviceChange?) -> FailureCode? = { _, _ in nil }
    /// The requests during the run, by event.
    var control: @Sendable (TrayEvent, AsyncStream<TrayControl>.Continuation) -> Void = { _, _ in }

    struct Result: Sendable {
        let records: [UnitRecord]
        let ending: RunResult
        let notes: [BenchJournal.Entry]
        /// The image that each unit runs; nil if it runs none.
        let images: [[UInt8]?]
        /// The session statistics of each KBeacon.
        let sessions: [KBeaconStatistics?]
        let took: Duration

        var outcomes: [UnitOutcome?] { records.map(\.verdict?.outcome) }
    }

    static func address(_ number: Int) throws -> DeviceAddress {
        guard
            let address = DeviceAddress([
                0xF0, 0x0D, 0xBE, UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF),
            ])
        else { throw BenchFlaw.address }
        return address
    }

    func run() async throws -> Result {
        let descriptions = try numbers.enumerated().map { index, number in
            var description = NordicDescription(address: try Self.address(number))
            description.softDevice = 0x98
            description.program = .application
            description.timing = timing
            change(index, &description)
            return description
        }
        return try await VirtualTime.run { time in
            let clock = time.clock
            let beacons = descriptions.enumerated().map {
                NordicBeacon($1, time: clock, faults: faults($0))
            }
            let present = beacons.enumerated().filter { !missing.contains($0.offset) }.map(\.element)
            return try await SimulatedAdapter.withAdapters(
                controllers, among: present, link: link, time: clock, readiness: time
            ) { adapters in
                let journal = BenchJournal(time: clock, taking: takes, hindering: blocker)
                let (controls, hand) = AsyncStream.makeStream(of: TrayControl.self)
                let targets = descriptions.enumerated().map { target($0, $1.address) }
                let plan = TrayPlan(
                    targets, records: targets.map { UnitRecord(slot: $0.slot, device: "\($0.device)") },
                    rules: rules, attempts: attempts, waitsOnHold: waitsOnHold)
                let runAdapters = adapters.enumerated().map {
                    RunAdapter(
                        AdapterNumber($0), $1.name, $1,
                        slots: links.map { LinkSlots(permitted: $0) } ?? LinkSlots())
                }
                let run = TrayRun(
                    plan, over: runAdapters,
                    planner: BenchPlanner(
                        firmware: firmware, acceptsReappearance: acceptsReappearance, settings: settings,
                        settingsTime: settingsTime, meaningInstalled: meaningInstalled),
                    journal: journal
                ) { event in control(event, hand) }
                let begin = clock.now
                let ending = try await run.run(obeying: controls)
                let took = clock.now - begin
                var images: [[UInt8]?] = []
                var sessions: [KBeaconStatistics?] = []
                for beacon in beacons {
                    images.append(await beacon.runningApplication?.image)
                    sessions.append(await beacon.session)
                }
                return Result(
                    records: ending.records, ending: ending, notes: journal.entries, images: images,
                    sessions: sessions, took: took)
            }
        }
    }
}

enum BenchFlaw: Error { case address }

/// Gives a unit the firmware of its place, which is the end of its slot's label.
struct BenchPlanner: UnitPlanner {
    let firmware: @Sendable (Int) -> TestFirmware
    let acceptsReappearance: Bool
    let settings: [String]?
    let settingsTime: Duration
    let meaningInstalled: FailureCode

    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void
    ) async throws -> UnitJob {
        let firmware = firmware(Int(target.slot.dropFirst()) ?? 0)
        return UnitJob(
            SecureProcedure(firmware.secureImage), entering: ButtonlessEntry(name: "Dfu" + target.slot),
            firmware: FirmwareRecord(
                path: "test.zip", sha256: "00", kind: "nordic-secure", bytes: firmware.image.count,
                version: nil))
    }

    func verdict(for error: any Error, at address: DeviceAddress, sending file: String?) -> UnitVerdict {
        let failure = UpdateFailure(of: error, during: "the test")
        let outcome: UnitOutcome =
            switch failure.code {
            case .system.interrupted: .aborted
            case .system.noAdapter: .error
            case meaningInstalled: .notNeeded
            default: .failed
            }
        return UnitVerdict(
            outcome, code: failure.code, during: failure.during, message: failure.message,
            state: failure.state.map {
                UnitState(
                    program: $0.program.rawValue, address: "\($0.address)",
                    application: $0.application.rawValue, words: "\($0.program) \($0.application)")
            })
    }

    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        guard settings != nil else { return nil }
        try await willWrite()
        try await adapter.time.sleep(for: settingsTime)
        return settings
    }

    func nextStep(after code: String, at address: DeviceAddress?) -> String? { "see \(code)" }

    func mayHelp(after verdict: UnitVerdict) -> Bool { verdict.outcome == .failed }
}

/// The journal entries, in order.
final class BenchJournal: RunJournal {
    struct Refusal: Error {}

    struct Entry: Sendable {
        enum Kind: Sendable {
            case noted
            case begun
            case change(DeviceChange)
            case told
            case ended(UnitOutcome)
            case closed(UnitOutcome?)
            case held(String)
        }

        let slot: String
        let kind: Kind
        let at: Duration

        var change: DeviceChange? { if case .change(let change) = kind { change } else { nil } }
    }

    private let log = Mutex<[Entry]>([])
    private let time: Timekeeper
    private let takes: @Sendable (Entry) -> Bool

    private let blocker: @Sendable (String, DeviceChange?) -> FailureCode?

    init(
        time: Timekeeper, taking takes: @escaping @Sendable (Entry) -> Bool,
        hindering blocker: @escaping @Sendable (String, DeviceChange?) -> FailureCode? = { _, _ in nil }
    ) {
        (self.time, self.takes, self.blocker) = (time, takes, blocker)
    }

    func blocker(of slot: String) -> UnitVerdict? {
        blocker(slot, nil).map { UnitVerdict(.aborted, code: $0) }
    }

    var entries: [Entry] { log.withLock { $0 } }

    private func add(_ slot: String, _ kind: Entry.Kind) throws {
        let entry = Entry(slot: slot, kind: kind, at: time.now)
        guard takes(entry) else { throw Refusal() }
        log.withLock { $0.append(entry) }
    }

    func note(_ unit: UnitRecord) throws { try add(unit.slot, .noted) }
    func begin(_ attempt: AttemptRecord, of slot: String) throws { try add(slot, .begun) }
    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) throws {
        if let code = blocker(slot, change) {
            throw UpdateFailure(code, during: "the test", message: "forbidden")
        }
        try add(slot, .change(change))
    }
    func note(_ attempt: AttemptRecord, of slot: String) throws {
        try add(slot, attempt.verdict.map { .ended($0.outcome) } ?? .told)
    }
    func reopen(_ slot: String) throws { try add(slot, .told) }
    func close(_ unit: UnitRecord) throws { try add(unit.slot, .closed(unit.verdict?.outcome)) }
    func note(_ hold: TrayRecord.Hold) throws { try add("", .held(hold.code)) }
}

/// KBeacons with the factory password light up.
extension BenchPlanner {
    func canBlink(_ beacon: BeaconSighting) -> Bool { beacon.identity.family == .kkm }

    func blink(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        let kind = KBeaconSession(asking: .second)
        try await adapter.withSession(kind, with: beacon.address, within: .seconds(15)) { session in
            begin()
            try await session.perform { (peer) throws(SessionFailure) in
                try KBeaconRing(by: .light, for: length, of: peer)
            }
        }
    }
}

/// Trays in simulated time: how near a schedule comes to the exact bound, and whether every unit is accounted for.
@main struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tray-bench", abstract: "Runs trays of simulated beacons in simulated time.")

    @Flag(help: "The schedule next to the exact bound of the model of a tray.") var model = false
    @Flag(help: "Whole updates over simulated adapters that connect as Linux does.") var engine = false
    @Option(help: "The number of runs of 500 units over three adapters, with seeded faults.") var faults = 0
    @Option(help: "How many units a run with faults has.") var units = 500
    @Option(help: "The seed of the first run with faults; the others' follow by ones.") var seed: UInt64 =
        6979

    func run() async throws {
        var flaws: [String] = []
        if model { flaws += ModelTable.print() }
        if engine { flaws += try await EngineTable.print() }
        if faults > 0 { flaws += try await FaultyTrays(units: units).print(runs: faults, from: seed) }
        flaws.prefix(20).forEach { print($0) }
        if !flaws.isEmpty { throw ExitCode.failure }
    }
}
