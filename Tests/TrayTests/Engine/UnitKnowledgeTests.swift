import Firmware
import Simulation
import TestSupport
import Testing
import UpdateBench
import UpdateModel

@testable import Tray
@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `The known state of a unit` {
    private static let bootloader = UnitState(
        program: "bootloader", address: "F0:00:00:00:00:11/random", application: "unknown",
        words: "beacon: in its bootloader")

    private func unit(after verdicts: UnitVerdict...) -> UnitRecord {
        var record = UnitRecord(slot: "A1")
        record.address = "F0:00:00:00:00:10/random"
        record.attempts = verdicts.enumerated().map { index, verdict in
            var attempt = AttemptRecord(
                number: index + 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0),
                address: "F0:00:00:00:00:10/random")
            attempt.verdict = verdict
            return attempt
        }
        return record
    }

    private static let lost = UnitVerdict(.failed, code: "link-lost", message: "lost", state: bootloader)
    private static let unheard = UnitVerdict(.failed, code: "device-not-found", message: "not heard")

    @Test func `is kept when a later attempt does not hear it`() {
        let verdict = unit(after: Self.lost).completing(Self.unheard, mayBeNew: false)
        #expect(verdict.outcome == .failed && verdict.code == "device-not-found")
        #expect(verdict.state?.program == "unknown" && verdict.state?.application == "unknown")
        #expect(verdict.state?.address == Self.bootloader.address)
        #expect(verdict.state?.words == "beacon: in its bootloader. It was not reached again after that")
    }

    @Test func `is kept over several attempts, and replaced by newer information`() {
        let twice = unit(after: Self.lost, Self.unheard).completing(Self.unheard, mayBeNew: false)
        #expect(twice.state?.address == Self.bootloader.address)
        var newer = Self.lost
        newer.state?.application = "gone"
        let known = unit(after: Self.lost).completing(newer, mayBeNew: false)
        #expect(known.state?.application == "gone" && known.state?.program == "bootloader")
    }

    @Test
    func `includes either firmware if it was told to start the new one and is not reached`() {
        let verdict = unit(after: Self.lost).completing(Self.unheard, mayBeNew: true)
        #expect(verdict.outcome == .unknown && verdict.code == "device-not-found")
        #expect(verdict.message?.contains("it may run that or the old one") == true)
        let cut = unit(after: UnitVerdict(.aborted, code: "cut-off")).completing(Self.unheard, mayBeNew: true)
        #expect(cut.outcome == .unknown && cut.state?.application == "unknown")
    }

    @Test(arguments: ["hardware-version-mismatch", "signature-invalid"])
    func `is what it reports itself once it is reached`(_ code: String) {
        let verdict = unit(after: Self.lost).completing(
            UnitVerdict(.failed, code: FailureCode(named: code)), mayBeNew: true)
        #expect(verdict.outcome == .failed)
    }

    @Test func `is empty if nothing was done to it, or if it has its firmware`() {
        #expect(unit().completing(Self.unheard, mayBeNew: false).state == nil)
        let passed = unit(after: Self.lost).completing(UnitVerdict(.passed), mayBeNew: true)
        #expect(passed == UnitVerdict(.passed))
        #expect(unit(after: UnitVerdict(.passed)).completing(Self.unheard, mayBeNew: false).state == nil)
        let seen = UnitVerdict(.unknown, code: "version-not-shown")
        #expect(unit(after: Self.lost).completing(seen, mayBeNew: true, wasSeen: true).state == nil)
    }

    @Test func `does not include a program that the unit has left, unless it was not reached`() {
        let refused = UnitVerdict(.failed, code: "password-wrong")
        let now = unit(after: Self.lost).completing(refused, mayBeNew: true, wasHeard: true)
        #expect(now == refused)
        #expect(unit(after: Self.lost).completing(refused, mayBeNew: true).state != nil)
        let silent = unit(after: Self.lost).completing(Self.unheard, mayBeNew: true, wasHeard: true)
        #expect(silent.state != nil && silent.outcome == .unknown)
    }

    @Test func `is kept if the new application does not start`() async throws {
        var bench = TrayBench(numbers: [0])
        bench.attempts = 2
        bench.faults = { _ in [.nordic(.deadApplication)] }
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.attempts.map(\.verdict?.code) == ["did-not-reappear", "device-not-found"])
        #expect(unit.verdict?.outcome == .unknown && unit.verdict?.code == "device-not-found")
        #expect(unit.verdict?.state?.application == "new" && unit.verdict?.state?.program == "unknown")
    }

    /// For each attempt the bytes that it sent, nil if it was cut off or sent none; and the attempts with an install command.
    @Test(
        arguments: [
            ([nil, nil], [], false), ([9000], [], false), ([9000], [1], true), ([9000, nil], [1], true),
            ([9000, 0], [1], true), ([9000, 4000], [1], false), ([9000, 4000, nil], [1], false),
            ([9000, 4000, 9000], [1, 3], true), ([9000, 9000], [2], true),
        ] as [([Int?], Set<Int>, Bool)])
    func `includes what earlier sessions installed, until an attempt sent bytes again`(
        sent: [Int?], activations: Set<Int>, mayBe: Bool
    ) {
        var unit = UnitRecord(slot: "A1")
        for (index, bytes) in sent.enumerated() {
            var attempt = AttemptRecord(
                number: index + 1, session: 1, adapter: "hci0", began: .now, address: "")
            attempt.transfer = bytes.map {
                AttemptRecord.Transfer(bytes: $0, seconds: 1, average: 1, retries: 0, limitedBy: nil)
            }
            unit.attempts.append(attempt)
        }
        #expect(unit.mayBeInstalled(by: activations) == mayBe)
    }

    @Test func `is in the row of a unit that an earlier session had updated`() async throws {
        var bench = TrayBench(numbers: [0])
        bench.change = { _, unit in unit.applicationVersion = 1 }
        bench.target = { TrayTarget(slot: "A\($0)", device: .address($1), mayBeInstalled: true) }
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.verdict == UnitVerdict(.passed, code: "installed-before"))
        let attempt = try #require(unit.attempts.first)
        #expect(attempt.versionAfter == "1" && attempt.verified == "version")
    }

    /// A unit that an earlier session had told to install the firmware, after two further attempts.
    private static func installed(
        bytes: Int = 8000, isRetriedByHand: Bool = false, _ faults: Fault...
    ) async throws -> UnitRecord {
        // The other unit keeps the run open.
        var bench = TrayBench(numbers: [0, 2])
        bench.missing = [1]
        if isRetriedByHand {
            bench.control = { event, hand in
                if case .ended(let unit, let record) = event, record.attempts.count == 1 {
                    hand.yield(.retry(unit))
                }
            }
        } else {
            bench.attempts = 2
        }
        bench.timing = .stock
        bench.firmware = { _ in TestFirmware(count: bytes) }
        bench.faults = { _ in faults }
        bench.target = { TrayTarget(slot: "A\($0)", device: .address($1), mayBeInstalled: true) }
        bench.meaningInstalled = FailureCode(named: "opcode-not-supported")
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.attempts.map(\.number) == [1, 2])
        return unit
    }

    @Test func `does not include firmware that is sent again and remains incomplete`() async throws {
        let unit = try await Self.installed(bytes: 60_000, .away(from: .seconds(4), until: nil))
        #expect(unit.attempts.first?.transfer.map { 0 < $0.bytes && $0.bytes < 60_000 } == true)
        #expect(unit.verdict?.outcome == .failed && unit.verdict?.code == "device-not-found")
        #expect(unit.verdict?.message?.contains("new firmware") == false)
    }

    /// The first attempt fails at the request of that number; the second one is told that no firmware is needed.
    @Test(arguments: [1, 11], [false, true])
    func `includes the installed firmware until bytes are sent again`(
        request: Int, isRetriedByHand: Bool
    ) async throws {
        let outcome: UnitOutcome = request == 1 ? .passed : .notNeeded
        let unit = try await Self.installed(
            isRetriedByHand: isRetriedByHand, .nordic(.answerRequest(request, with: [0x08])),
            .nordic(.answerRequest(request + 1, with: [0x02]))
        )
        #expect((unit.attempts.first?.transfer == nil) == (outcome == .passed))
        #expect(unit.attempts.last?.transfer == nil)
        #expect(unit.verdict?.outcome == outcome)
        #expect((unit.verdict?.code == "installed-before") == (outcome == .passed))
    }

    /// The first attempt installs the firmware, but the old one returns; the second one loses the unit while it sends.
    @Test func `does not include firmware that is sent again when a person tries the unit again`()
        async throws
    {
        // The other unit keeps the run open.
        var bench = TrayBench(numbers: [0, 2])
        bench.rules = ScheduleRules(hasGolden: false, search: .seconds(300))
        bench.missing = [1]
        bench.timing = .stock
        bench.firmware = { _ in TestFirmware(count: 60_000) }
        bench.faults = { _ in [.nordic(.keepOldApplication), .away(from: .seconds(15), until: nil)] }
        bench.control = { event, hand in
            if case .ended(let unit, let record) = event, unit.value == 0,
                record.verdict?.code != "device-not-found"
            {
                hand.yield(.retry(unit))
            }
        }
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.attempts.map(\.verdict?.code) == ["version-mismatch", "link-lost"])
        #expect(unit.verdict?.outcome == .failed && unit.verdict?.code == "device-not-found")
        #expect(unit.verdict?.message?.contains("new firmware") == false)
    }

    @Test func `has the amount sent if an attempt is interrupted`() async throws {
        var bench = TrayBench(numbers: [0])
        bench.timing = .stock
        bench.rules = ScheduleRules(hasGolden: false, unitTime: .seconds(4))
        bench.firmware = { _ in TestFirmware(count: 60_000) }
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.verdict?.code == "unit-time", "\(String(describing: unit.verdict))")
        let attempt = try #require(unit.attempts.first)
        let transfer = try #require(attempt.transfer)
        #expect(transfer.bytes > 0 && transfer.bytes < 60_000 && transfer.average > 0)
        #expect(transfer.limitedBy == nil)
        #expect(attempt.phases.contains { $0.name == "transferring" })
    }
}
