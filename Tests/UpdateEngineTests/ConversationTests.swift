import BluetoothTypes
import GATT
import SimulatedTime
import Synchronization
import Testing
import Timing
import UpdateCore

@testable import UpdateEngine

/// A peripheral whose control point answers each write with its number, after some stale values, and refuses EE.
private final class Peripheral: GATTClient {
    private let queue = NotificationQueue()
    private let time: Timekeeper
    private let answers = Mutex(0)

    init(time: Timekeeper) { self.time = time }

    var mtu: Int { get async { 103 } }

    func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool { true }

    func read(_ source: Characteristic) async throws(GATTError) -> [UInt8] { [] }

    func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        if value == [0xEE] { throw .refused(ATTStatus(rawValue: 0x80), handle: 1, during: "writing") }
        let number = answers.withLock {
            $0 += 1
            return $0
        }
        queue.put([UInt8(number)])
        // What comes behind the answer is stale for the next request.
        queue.put([0xFF])
    }

    func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        do { try await time.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
    }

    func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue { queue }
}

/// Carries out its commands one after the other and writes down what came of them.
private struct Recital: UpdateProcedure {
    var commands: [UpdateCommand]
    let time: Timekeeper
    var outcomes: [UpdateOutcome] = []
    var moments: [Duration] = []

    static let point = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0001))

    var total: Int { 100 }
    var goesOn: Bool { true }
    var entrance: Entrance { Entrance(Self.point) }
    var applicationAppearances: Set<Reappearance> { [.sameAddress] }

    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep { next() }

    mutating func advance(after outcome: UpdateOutcome) throws(UpdateFailure) -> UpdateStep {
        outcomes.append(outcome)
        moments.append(time.now)
        return next()
    }

    func linkEnded() -> LinkEnding { .interrupted }
    var effectOnApplication: DeviceState.Application? { nil }
    var inactivityLimit: Duration? { nil }
    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }

    private mutating func next() -> UpdateStep { UpdateStep(commands.removeFirst()) }

    static func request(_ byte: UInt8) -> UpdateCommand {
        .request([byte], on: point, answerOn: point, within: .seconds(3))
    }

    static var end: UpdateCommand {
        .complete(Completion(isConfirmed: true, appearances: [.sameAddress], patience: .seconds(1)))
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A conversation with a peripheral` {
    private func recite(_ commands: [UpdateCommand]) async throws -> (Recital, ended: Duration) {
        try await VirtualTime.run { time in
            let keeper = time.keeper
            let peripheral = Peripheral(time: keeper)
            var procedure: any UpdateProcedure = Recital(
                commands: [.subscribe(Recital.point)] + commands + [Recital.end], time: keeper)
            var telemetry = Telemetry(time: keeper) { _ in }
            var conversation = Conversation(with: peripheral, time: keeper)
            _ = try await conversation.run(&procedure, &telemetry)
            return (try #require(procedure as? Recital), keeper.now)
        }
    }

    @Test func `drops what had arrived before a request`() async throws {
        let (recital, _) = try await recite([Recital.request(7), Recital.request(8)])
        #expect(recital.outcomes == [.done, .value([1]), .value([2])])
    }

    @Test func `keeps what arrived for one that only listens`() async throws {
        let listen = UpdateCommand.expect(from: Recital.point, within: .seconds(2))
        let (recital, _) = try await recite([Recital.request(7), listen, listen])
        #expect(recital.outcomes == [.done, .value([1]), .value([0xFF]), .timedOut])
        #expect(recital.moments.last == .seconds(2))
    }

    @Test func `rests from the last answer on, not from the last packet`() async throws {
        let bytes = [UInt8](repeating: 0, count: 100)
        let stream = UpdateCommand.stream(
            Passage(bytes: bytes[...], target: Recital.point, packetLength: 20, position: 0))
        let (recital, _) = try await recite([
            Recital.request(7), stream, .rest(.milliseconds(370)), .rest(.milliseconds(300)),
        ])
        #expect(recital.moments == [0, 0, 250, 370, 370].map { .milliseconds($0) })
    }

    @Test func `takes a refusal for an outcome where that may be, and for a failure elsewhere`() async throws
    {
        let (recital, _) = try await recite([
            .write([0xEE], on: Recital.point, mayRefuse: true),
            .write([7], on: Recital.point, mayRefuse: true),
        ])
        #expect(recital.outcomes == [.done, .refused(status: 0x80), .done])
        await #expect(throws: GATTError.self) {
            _ = try await recite([.write([0xEE], on: Recital.point, mayRefuse: false)])
        }
    }

    @Test func `waits five seconds for the device to hang up, though it talks on`() async throws {
        let (_, ended) = try await recite([Recital.request(7)])
        #expect(ended == .seconds(5))
    }
}
