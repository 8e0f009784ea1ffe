import Simulation
import Synchronization
import Testing
import Tray
import UpdateBench
import UpdateEngine
import UpdateModel

@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `A unit that is no longer the bench's` {
    private static let lost = FailureCode(named: "claim-lost")

    @Test func `is not connected to, and the others are completed`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4])
        bench.blocker = { slot, _ in slot == "A1" ? Self.lost : nil }
        let result = try await bench.run()
        #expect(result.outcomes == [.passed, .aborted, .passed])
        #expect(result.records[1].verdict?.code == "claim-lost" && result.records[1].attempts.isEmpty)
        #expect(result.notes.filter { $0.slot == "A1" }.allSatisfy { $0.change == nil })
    }

    /// Lost between the probe and the first step, in the middle, and before the image is activated.
    @Test(arguments: ["enter", "update", "activate"])
    func `gets no further step that changes it`(_ forbidden: String) async throws {
        var bench = TrayBench(numbers: [0, 2])
        bench.blocker = { slot, change in
            let name =
                switch change {
                case .enterBootloader: "enter"
                case .update: "update"
                case .activate: "activate"
                case .configure, nil: ""
                }
            return slot == "A0" && name == forbidden ? Self.lost : nil
        }
        let result = try await bench.run()
        #expect(result.outcomes[1] == .passed, "the other one is the bench's")
        let verdict = result.records[0].verdict
        #expect(verdict?.code == "claim-lost", "\(String(describing: verdict))")
        let steps = result.notes.filter { $0.slot == "A0" }.compactMap(\.change)
        #expect(steps.count == ["enter": 0, "update": 1, "activate": 2][forbidden])
        #expect(result.images[0] != bench.firmware(0).image)
        #expect(result.images[1] == bench.firmware(1).image)
    }

    @Test func `gets no second attempt`() async throws {
        let asked = Mutex(0)
        var bench = TrayBench(numbers: [0], attempts: 3)
        bench.faults = { _ in [.nordic(.answerExecute(1, with: [0x05]))] }
        bench.blocker = { _, change in
            guard change == nil else { return nil }
            return asked.withLock {
                $0 += 1
                return $0 > 1 ? Self.lost : nil
            }
        }
        let result = try await bench.run()
        #expect(asked.withLock { $0 } == 2, "asked before the first attempt, and before a second")
        #expect(result.records[0].attempts.count == 1)
        #expect(result.outcomes != [.passed])
    }

    @Test func `and the others cannot be started by a person while no claim can be renewed`() async throws {
        var bench = TrayBench(numbers: (0..<3).map { 2 * $0 }, links: 1)
        let releases = Mutex(0)
        bench.control = { event, hand in
            switch event {
            case .ended(let unit, _) where unit.value == 0:
                // The user pauses, the work server becomes unreachable, and the user resumes.
                hand.yield(.pause)
                hand.yield(.hold(.claimsEnd("no answer")))
                hand.yield(.release)
            case .hold(let hold) where hold.released == nil && hold.code == "lease-short":
                let count = releases.withLock {
                    $0 += 1
                    return $0
                }
                hand.yield(count == 1 ? .release : .endHold(.claimsEnd("")))
            default: break
            }
        }
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 3))
        let held = result.notes.compactMap { if case .held(let code) = $0.kind { code } else { nil } }
        #expect(held == ["paused", "paused", "lease-short", "lease-short", "lease-short", "lease-short"])
    }

    @Test(arguments: [
        HoldReason.order("3 in a row"), .refused(FailureCode(named: "firmware-recalled"), "it bricks"),
    ])
    func `and one with a held or refused order cannot be started until the work server allows it`(
        _ reason: HoldReason
    )
        async throws
    {
        let code = if case .refused(let code, _) = reason { code.rawValue } else { "order-held" }
        var bench = TrayBench(numbers: (0..<3).map { 2 * $0 }, links: 1)
        bench.waitsOnHold = true
        let releases = Mutex(0)
        bench.control = { event, hand in
            switch event {
            case .ended(let unit, _) where unit.value == 0: hand.yield(.hold(reason))
            case .hold(let hold) where hold.released == nil && hold.code == code:
                // The hold is reported again when a release does not end it.
                let count = releases.withLock {
                    $0 += 1
                    return $0
                }
                hand.yield(count == 1 ? .release : .endHold(.order("")))
            default: break
            }
        }
        let result = try await bench.run()
        #expect(
            result.outcomes == Array(repeating: .passed, count: 3) && releases.withLock { $0 } == 2,
            "\(result.outcomes)")
    }

    @Test func `does not keep a held run open when the hold cannot be released`() async throws {
        var bench = TrayBench(numbers: (0..<3).map { 2 * $0 }, links: 1)
        bench.waitsOnHold = true
        bench.control = { event, hand in
            switch event {
            case .ended(let unit, _) where unit.value == 0: hand.yield(.hold(.order("3 in a row")))
            case .hold(let hold) where hold.released == nil: hand.yield(.unattended)
            default: break
            }
        }
        let result = try await bench.run()
        #expect(result.outcomes.first == .passed && result.outcomes.last == .aborted, "\(result.outcomes)")
    }

    @Test func `and all others wait while no claim can be renewed, and continue automatically`() async throws
    {
        var bench = TrayBench(numbers: (0..<4).map { 2 * $0 }, links: 1)
        bench.control = { event, hand in
            switch event {
            case .ended(let unit, _) where unit.value == 0: hand.yield(.hold(.claimsEnd("no answer")))
            case .hold(let hold) where hold.released == nil && hold.code == "lease-short":
                // The order's release changes nothing about the claims.
                hand.yield(.endHold(.order("")))
                hand.yield(.endHold(.claimsEnd("")))
            default: break
            }
        }
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 4))
        let held = result.notes.compactMap { if case .held(let code) = $0.kind { code } else { nil } }
        #expect(held == ["lease-short", "lease-short"], "begun once, and over once")
    }

    @Test func `with a held order is not started, and an unattended run ends`() async throws {
        var bench = TrayBench(numbers: (0..<6).map { 2 * $0 }, links: 1)
        bench.control = { event, hand in
            if case .ended(let unit, _) = event, unit.value == 0 { hand.yield(.hold(.order("3 in a row"))) }
        }
        let result = try await bench.run()
        #expect(result.outcomes.first == .passed && result.outcomes.last == .aborted, "\(result.outcomes)")
        #expect(result.records.last?.verdict?.code == "order-held")
        #expect(result.records.last?.verdict?.message?.contains("3 in a row") == true)
    }
}
