import Bluetooth
import Testing
import UpdateModel

@testable import UpdateEngine

/// An application that takes the update itself has confirmed its image, and the link ends whenever it is told to start
/// it.
private struct ToldUnit {
    private let address: DeviceAddress
    private var update: UnitUpdate
    private var now = Duration.zero
    private(set) var step = UnitStep.disconnect

    init(accepting risks: Set<Risk>) throws {
        address = try #require(DeviceAddress("F0:00:00:00:00:10"))
        var procedure = PlainProcedure()
        procedure.targetSignature = .application(PlainProcedure.control)
        procedure.expectedVersion = nil
        update = UnitUpdate(
            procedure, entering: nil, UnitUpdate.Setup(address: address, risks: risks))
        take(.begun)
        take(.claimed)
    }

    private var nearbyScan: NearbyScan.State {
        var state = NearbyScan.State()
        state.selected = report
        (state.hasShownFrames, state.isOver) = (true, true)
        return state
    }

    private var report: Advertisement {
        Advertisement(address: address, rssi: nil, isConnectable: true, data: AdvertisingData())
    }

    var result: Result<VerifiedState, UpdateFailure>? {
        if case .finish(let result) = step { result } else { nil }
    }

    mutating func take(_ fact: UnitFact) {
        now += .seconds(1)
        step = update.advance(after: fact, at: now)
        _ = update.takeEffects()
    }

    private func program(calling version: String?) -> UpdateEngine.Program {
        let revision = version.map { Revision(text: $0, source: BluetoothUUID(0x2A26)) }
        return .receiver(.application, revision: revision)
    }

    /// Connects; the application reports its firmware as `version`.
    mutating func connect(calling version: String?) {
        for _ in 0..<10 {
            switch step {
            case .rest: take(.rested)
            case .listen: take(.nearbyScan(nearbyScan))
            case .search: take(.heard(report))
            default: break
            }
        }
        take(.connected(program(calling: version)))
        if case .examine = step { take(.examined(ApplicationFacts())) }
    }

    /// The link ends when the device is told to start its image.
    mutating func loseActivation() {
        var procedure = PlainProcedure()
        procedure.targetSignature = .application(PlainProcedure.control)
        procedure.expectedVersion = nil
        (procedure.received, procedure.isConfirmed, procedure.mayHaveMissedStart) = (4, true, true)
        update.procedure = procedure
        take(.disconnected(LinkOutcome(end: .lost, hasConnected: true, accepted: 4)))
    }

    /// It is probed, and reports `probe`, until another step is requested.
    mutating func look(showing probe: ProbeResult) {
        for _ in 0..<100 {
            switch step {
            case .search: take(.heard(report))
            case .probe: take(.probed(probe))
            case .rest where result == nil && isUndecided(probe): take(.rested)
            default: return
            }
        }
    }

    mutating func look(calling version: String?) { look(showing: .program(program(calling: version))) }

    private func isUndecided(_ probe: ProbeResult) -> Bool {
        if case .unfinished = probe { true } else { false }
    }

    /// The first probe has found the previous version, and it is connected to again.
    static func toldAgain(
        accepting risks: Set<Risk> = [.unchangedVersion], calling version: String?
    ) throws -> ToldUnit {
        var unit = try ToldUnit(accepting: risks)
        unit.connect(calling: "1")
        unit.loseActivation()
        unit.look(calling: "1")
        guard case .rest = unit.step else {
            Issue.record("it is not told again: \(unit.step)")
            return unit
        }
        unit.connect(calling: version)
        return unit
    }
}

@Suite struct `A device that is told twice to start its image` {
    private let refusal = UpdateFailure(
        .device.activationUnconfirmed, during: "activating", message: "it does not restart when it is told to"
    )

    @Test func `is updated with that risk if it reports its version as before at the last probe`() throws {
        var refused = try ToldUnit.toldAgain(calling: "1")
        refused.take(.failed(refusal))
        let verified = try #require(try refused.result?.get())
        #expect(verified.revision?.text == "1" && verified.revisionBefore == "1")
        var unheard = try ToldUnit.toldAgain(calling: "1")
        unheard.loseActivation()
        unheard.look(calling: "1")
        #expect(try #require(try unheard.result?.get()).revision?.text == "1")
    }

    @Test func `is not updated if the last probe has found no version`() throws {
        var refused = try ToldUnit.toldAgain(calling: nil)
        refused.take(.failed(refusal))
        #expect(refused.result?.failure?.message == refusal.message)
        for probe in [ProbeResult.unfinished, .program(.receiver(.application, revision: nil))] {
            var unheard = try ToldUnit.toldAgain(calling: "1")
            unheard.loseActivation()
            unheard.look(showing: probe)
            let failure = try #require(unheard.result?.failure)
            #expect(failure.code == .device.activationUnconfirmed)
            #expect(!failure.message.contains("as before"), "\(failure.message)")
        }
    }

    @Test func `is updated without the risk if the last probe finds another version`() throws {
        var unit = try ToldUnit.toldAgain(accepting: [], calling: "1")
        unit.loseActivation()
        unit.look(calling: "2")
        let verified = try #require(try unit.result?.get())
        #expect(verified.revision?.text == "2" && verified.verification == .reappeared)
    }
}
