import Simulation
import Synchronization
import Testing
import Tray
import UpdateBench
import UpdateModel

@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `A person at a tray` {
    private static let apart = (0..<8).map { 2 * $0 }

    @Test func `lets running units finish, and starts no others`() async throws {
        var bench = TrayBench(numbers: Self.apart, links: 2)
        bench.control = { event, hand in
            if case .update(_, .phase(.transferring)) = event { hand.yield(.stop) }
        }
        let result = try await bench.run()
        let passed = result.outcomes.count { $0 == .passed }
        #expect((1...2).contains(passed), "\(result.outcomes)")
        #expect(result.outcomes.count { $0 == .aborted } == 8 - passed)
        // Nothing was done to the others.
        let touched = Set(result.notes.filter { $0.change != nil }.map(\.slot))
        #expect(touched.count == passed)
    }

    @Test func `stops running units at a safe point, with their state known`() async throws {
        var bench = TrayBench(numbers: [0, 2], links: 2)
        bench.control = { event, hand in
            if case .update(_, .phase(.transferring)) = event { hand.yield(.abort) }
        }
        let result = try await bench.run()
        #expect(result.outcomes == [.aborted, .aborted])
        #expect(result.records.allSatisfy { $0.verdict?.code == "interrupted" })
        #expect(result.records.allSatisfy { $0.verdict?.nextStep == "see interrupted" })
        #expect(result.records.allSatisfy { $0.attempts.last?.verdict == $0.verdict }, "\(result.records)")
        #expect(
            result.notes.allSatisfy {
                if case .closed(let outcome) = $0.kind { outcome != nil } else { true }
            })
    }

    @Test func `skips a unit that has not started, or that is running`() async throws {
        var bench = TrayBench(numbers: Self.apart, links: 2)
        bench.control = { event, hand in
            if case .found(let unit, _) = event, unit.value == 0 {
                hand.yield(.skip(UnitNumber(0)))
                hand.yield(.skip(UnitNumber(7)))
            }
        }
        let result = try await bench.run()
        #expect(result.outcomes[0] == .skipped && result.outcomes[7] == .skipped, "\(result.outcomes)")
        #expect(result.outcomes[1...6].allSatisfy { $0 == .passed })
    }

    /// The first attempt ends with the link that is cut for good; nothing else is done to the unit meanwhile.
    @Test func `gives a failed unit another attempt`() async throws {
        // The others take longer than the wait for a missing bootloader.
        var bench = TrayBench(numbers: (0..<24).map { 2 * $0 }, links: 1)
        bench.faults = { $0 == 1 ? [.slowBootloader(.seconds(45))] : [] }
        let retried = Mutex(false)
        bench.control = { event, hand in
            guard case .ended(let unit, let record) = event, unit.value == 1,
                record.verdict?.outcome == .failed, !retried.withLock({ $0.exchange() })
            else { return }
            hand.yield(.retry(unit))
        }
        let result = try await bench.run()
        #expect(retried.withLock { $0 }, "\(result.outcomes)")
        // It was left in its bootloader, and is found there.
        let attempts = result.records[1].attempts
        #expect(attempts.map(\.number) == [1, 2] && attempts.last?.address.hasSuffix(":03/random") == true)
        #expect(result.records[1].address?.hasSuffix(":02/random") == true)
    }

    @Test func `gives a unit that has its firmware no other attempt`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4], links: 1)
        bench.change = { index, unit in if index == 0 { unit.applicationVersion = 1 } }
        bench.control = { event, hand in if case .ended(let unit, _) = event { hand.yield(.retry(unit)) } }
        let result = try await bench.run()
        #expect(result.outcomes == [.notNeeded, .passed, .passed])
        #expect(result.records.allSatisfy { $0.attempts.count == 1 })
    }

    @Test func `gives a unit several attempts, one after the other`() async throws {
        var bench = TrayBench(numbers: [0, 2], attempts: 3)
        bench.faults = { $0 == 0 ? [.nordic(.answerExecute(1, with: [0x05]))] : [] }
        let result = try await bench.run()
        #expect(result.outcomes == [.passed, .passed], "\(result.records[0])")
        #expect(result.records[0].attempts.map(\.number) == [1, 2])
    }
}

extension Bool {
    /// Returns whether it was true before; true from now on.
    fileprivate mutating func exchange() -> Bool {
        defer { self = true }
        return self
    }
}
