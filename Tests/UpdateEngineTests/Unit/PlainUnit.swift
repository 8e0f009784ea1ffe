import Bluetooth
import TestSupport
import UpdateModel

@testable import UpdateEngine

/// A unit on a tray and its update, without a link between them: it answers a step with a fact and its duration.
struct PlainUnit {
    enum Program { case application, bootloader, silent }

    /// Failures, as probabilities in per cent for each step.
    struct LinkFaults {
        var lost = 0
        var silent = 0
        var stays = 0
        var dies = 0
        var returnsOld = 0
    }

    let application: DeviceAddress
    let bootloader: DeviceAddress
    let linkFaults: LinkFaults
    var random: Seed
    var update: UnitUpdate
    var program: Program
    var version = "1"
    /// The versions in its frames, in turn, once the new firmware runs; nil for a frame without one.
    var frames: [String?] = []
    /// Whether it reports its version on a link.
    var saysVersion = true
    /// What its procedure has seen of the new firmware, if it looks itself.
    var proof: UpdateProof?
    /// The amount of firmware in the bootloader.
    var received = 0
    /// The addresses at which a step has changed something.
    var changed: Set<DeviceAddress> = []
    /// The beacons that the update listens for in addition to the unit.
    var neighbours: Set<DeviceAddress> = []
    var steps = 0

    private(set) var result: Result<VerifiedState, UpdateFailure>?
    private var link: DeviceAddress?
    private let promise: ExpectedVersion?
    private var turns = 0

    init(
        _ application: DeviceAddress, startsIn program: Program, linkFaults: LinkFaults = LinkFaults(),
        seed: UInt64 = 0,
        neighbours: Set<DeviceAddress> = [], promising promise: ExpectedVersion? = ExpectedVersion(text: "2"),
        _ configure: (inout UnitUpdate.Setup) -> Void = { _ in }
    ) {
        self.promise = promise
        self.application = application
        bootloader = application.neighbour(1)
        self.program = program
        self.linkFaults = linkFaults
        self.neighbours = neighbours
        random = Seed(seed)
        var setup = UnitUpdate.Setup(address: program == .application ? application : bootloader)
        configure(&setup)
        update = UnitUpdate(
            PlainProcedure(expectedVersion: promise), entering: program == .application ? PlainEntry() : nil,
            setup)
    }

    /// The address at which the unit is heard.
    private var address: DeviceAddress? {
        switch program {
        case .application: application
        case .bootloader: bootloader
        case .silent: nil
        }
    }

    private mutating func happens(_ chance: Int) -> Bool { Int.random(in: 0..<100, using: &random) < chance }

    /// Takes `fact` at `now`, and answers the resulting step with the next fact and its time.
    mutating func advance(after fact: UnitFact, at now: Duration) -> (UnitFact, Duration)? {
        steps += 1
        let step = update.advance(after: fact, at: now)
        _ = update.takeEffects()
        if case .finish(let result) = step {
            self.result = result
            return nil
        }
        if happens(linkFaults.dies) { program = .silent }
        return answer(to: step)
    }

    private mutating func answer(to step: UnitStep) -> (UnitFact, Duration) {
        switch step {
        case .claim: return (.claimed, .zero)
        case .listen: return (.nearbyScan(nearbyScan), .seconds(1))
        case .search(let places, let limit):
            guard let address, places.contains(address) else { return (.heard(nil), limit) }
            return (.heard(nextReport(at: address)), .milliseconds(300))
        case .connect(let place, _):
            guard place == address, !happens(linkFaults.lost) else { return (lost(), .seconds(3)) }
            link = place
            return (.connected(shown), .seconds(1))
        case .probe(let place, _):
            guard place == address, !happens(linkFaults.lost) else {
                return (.probed(.unreached), .seconds(3))
            }
            return (.probed(.program(shown)), .seconds(1))
        case .examine:
            return (.examined(ApplicationFacts(version: saysVersion ? version : nil)), .milliseconds(200))
        case .enter(let place, _):
            changed.insert(place)
            if happens(linkFaults.lost) { return (lost(), .seconds(2)) }
            if !happens(linkFaults.stays) { program = .bootloader }
            return (.entered(PlainEntry().handoff), .milliseconds(500))
        case .update(let place):
            changed.insert(place)
            return transfer()
        case .disconnect: return (disconnected(nil), .zero)
        case .find(let lock, let limit): return (.found(verdict(of: lock)), min(limit, .seconds(2)))
        case .scan(let length): return (.scanned([]), length)
        case .rest(let length): return (.rested, length)
        case .finish: return (.rested, .zero)
        }
    }

    private mutating func transfer() -> (UnitFact, Duration) {
        var procedure = PlainProcedure(expectedVersion: promise)
        defer { update.procedure = procedure }
        while received < procedure.total {
            received += 1
            procedure.received = received
            if happens(linkFaults.lost) { return (lost(), .seconds(4)) }
            if happens(linkFaults.silent) {
                let failure = UpdateFailure(
                    .device.noAnswer, during: "asking", message: "silence", mayReconnect: true)
                return (disconnected(.silent(failure)), .seconds(30))
            }
        }
        procedure.received = received
        procedure.isConfirmed = true
        program = .application
        if !happens(linkFaults.returnsOld) { version = "2" }
        let completion = proof.map(Completion.init(proof:)) ?? procedure.completion
        return (.updated(.complete(completion), hasLeft: proof == nil), .seconds(5))
    }

    private var nearbyScan: NearbyScan.State {
        var state = NearbyScan.State()
        state.selected = address.map { report(at: $0) }
        state.isBootloader = program == .bootloader
        state.others = neighbours
        state.hasShownFrames = true
        state.isOver = true
        return state
    }

    private func report(at address: DeviceAddress) -> Advertisement {
        Advertisement(address: address, rssi: nil, isConnectable: true, data: AdvertisingData())
    }

    /// The next of its frames, once the new firmware runs: the version is in the name.
    private mutating func nextReport(at address: DeviceAddress) -> Advertisement {
        var report = report(at: address)
        guard version == "2", !frames.isEmpty, let text = frames[turns % frames.count] else {
            turns += version == "2" ? 1 : 0
            return report
        }
        turns += 1
        report.data = AdvertisingData([UInt8(text.utf8.count + 1), 0x09] + Array(text.utf8))
        return report
    }

    private var shown: UpdateEngine.Program {
        program == .bootloader
            ? .receiver(.bootloader, revision: nil)
            : .application(
                entryCharacteristic: update.entry == nil ? nil : PlainEntry.entryCharacteristic,
                revision: saysVersion ? Revision(text: version, source: BluetoothUUID(0x2A26)) : nil)
    }

    private func verdict(of lock: BootloaderLock) -> BootloaderLock.Verdict? {
        var lock = lock
        for moment in 0..<40 {
            let now = Duration.milliseconds(100 * moment)
            if let address { lock.hear(report(at: address), at: now) }
            if let verdict = lock.verdict(at: now) { return verdict }
        }
        return nil
    }

    private func lost() -> UnitFact { disconnected(.lost) }

    private func disconnected(_ end: LinkEnd?) -> UnitFact {
        .disconnected(
            LinkOutcome(
                end: end, hasConnected: link != nil, accepted: received,
                nearbyScan: nearbyScan)
        )
    }
}
