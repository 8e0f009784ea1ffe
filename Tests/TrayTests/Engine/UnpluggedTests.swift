import Firmware
import Simulation
import Testing
import Tray
import UpdateBench
import UpdateModel

@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `A tray whose adapter is removed` {
    private static let moments = stride(from: 1000, through: 12_000, by: 500).map {
        Duration.milliseconds($0)
    }

    private static func bench(_ controllers: [SimulatedController]) -> TrayBench {
        var bench = TrayBench(numbers: (0..<6).map { 2 * $0 })
        bench.timing = .stock
        bench.controllers = controllers
        return bench
    }

    @Test(arguments: moments) func `continues with the other one`(moment: Duration) async throws {
        let bench = Self.bench([
            SimulatedController(name: "a", connecting: .kernel, unplugged: [moment]),
            SimulatedController(name: "b", connecting: .kernel),
        ])
        let result = try await bench.run()
        #expect(
            result.outcomes == Array(repeating: .passed, count: 6), "\(result.records.map(\.verdict))")
        #expect(result.images.allSatisfy { $0 == bench.firmware(0).image })
        // An error of the bench is not the unit's, but an image that it made the bench send again was sent twice.
        #expect(result.records.allSatisfy { $0.passedFirst == ($0.attempts.timesSent == 1) })
        // Each outcome is reported once.
        let closed = result.notes.filter { if case .closed = $0.kind { true } else { false } }
        #expect(closed.count == 6)
    }

    /// With a unit that is never heard, so that the adapter listens all the time.
    @Test(arguments: moments, [4, 7, 9, 25])
    func `continues with the same one when that is back`(moment: Duration, absence: Int) async throws {
        var bench = Self.bench([
            SimulatedController(connecting: .kernel, unplugged: [moment, moment + .seconds(absence)])
        ])
        bench.missing = [5]
        let result = try await bench.run()
        #expect(
            result.outcomes.dropLast().allSatisfy { $0 == .passed }, "\(result.records.map(\.verdict))")
        #expect(result.records[5].verdict?.code == "device-not-found")
        #expect(result.images.dropLast().allSatisfy { $0 == bench.firmware(0).image })
    }

    @Test(arguments: [4, 25]) func `continues with the same one that is back under another name`(absence: Int)
        async throws
    {
        let moment = Duration.seconds(3)
        let bench = Self.bench([
            SimulatedController(
                name: "a", connecting: .kernel, unplugged: [moment, moment + .seconds(absence)],
                returningName: "b")
        ])
        let result = try await bench.run()
        #expect(
            result.outcomes == Array(repeating: .passed, count: 6), "\(result.records.map(\.verdict))")
        // The run keeps the name from its start.
        #expect(result.records.allSatisfy { $0.attempts.allSatisfy { $0.adapter == "a" } })
    }

    @Test func `does not continue with another one that takes its place`() async throws {
        let moments: [Duration] = [.seconds(3), .seconds(5)]
        let bench = Self.bench([
            SimulatedController(name: "a", connecting: .kernel, unplugged: moments, isReplaced: true),
            SimulatedController(name: "b", connecting: .kernel),
        ])
        let result = try await bench.run()
        #expect(
            result.outcomes == Array(repeating: .passed, count: 6), "\(result.records.map(\.verdict))")
        #expect(result.records.allSatisfy { $0.attempts.last?.adapter == "b" || $0.attempts.count == 1 })
        #expect(result.records.contains { $0.attempts.last?.adapter == "b" })
    }

    @Test func `finds a unit again whose bootloader does not have its name`() async throws {
        var bench = Self.bench([
            SimulatedController(name: "a", connecting: .kernel, unplugged: [.seconds(3)]),
            SimulatedController(name: "b", connecting: .kernel),
        ])
        bench.change = { index, unit in unit.name = "Lamp \(index)" }
        bench.target = { index, address in
            TrayTarget(slot: "A\(index)", device: DeviceSelector("name:Lamp \(index)") ?? .address(address))
        }
        let result = try await bench.run()
        #expect(
            result.outcomes == Array(repeating: .passed, count: 6), "\(result.records.map(\.verdict))")
    }

    @Test func `gives up a unit that loses one repeatedly`() async throws {
        let moments = (0..<40).map { Duration.seconds(1 + 15 * $0) }
        let bench = Self.bench([SimulatedController(connecting: .kernel, unplugged: moments)])
        let result = try await bench.run()
        #expect(result.outcomes.allSatisfy { $0 == .passed || $0 == .error }, "\(result.outcomes)")
        #expect(result.records.allSatisfy { $0.attempts.count <= 4 })
    }

    @Test func `gives up a unit that has lost its adapter four times`() async throws {
        let moments = (0..<20).flatMap { [Duration.seconds(4 + 40 * $0), .seconds(30 + 40 * $0)] }
        var bench = Self.bench([SimulatedController(connecting: .kernel, unplugged: moments)])
        bench.numbers = [0]
        bench.firmware = { _ in TestFirmware(count: 160_000) }
        let unit = try #require(try await bench.run().records.first)
        #expect(unit.attempts.map(\.verdict?.code) == Array(repeating: "no-adapter", count: 4))
        #expect(unit.verdict?.outcome == .error)
    }

    @Test(arguments: [Duration.zero] + moments)
    func `ends with an error of the bench if it does not come back`(moment: Duration) async throws {
        let bench = Self.bench([SimulatedController(connecting: .kernel, unplugged: [moment])])
        let result = try await bench.run()
        for record in result.records {
            let verdict = try #require(record.verdict)
            guard verdict.outcome != .passed else { continue }
            #expect(verdict.outcome == .error && verdict.code == "no-adapter")
            #expect(verdict.nextStep != nil)
        }
        #expect(moment > .seconds(8) || result.outcomes.contains(.error))
        #expect(result.took < .seconds(60))
    }

    @Test func `ends at once on a stop request, and does nothing when it comes back`() async throws {
        var bench = Self.bench([
            SimulatedController(connecting: .kernel, unplugged: [.seconds(3), .seconds(18)])
        ])
        bench.control = { event, hand in
            if case .attempted(_, let attempt) = event, attempt.verdict?.code == "no-adapter" {
                hand.yield(.abort)
            }
        }
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .aborted, count: 6), "\(result.records.map(\.verdict))")
        #expect(result.took < .seconds(18))
        #expect(result.notes.allSatisfy { $0.at < .seconds(18) })
    }
}
