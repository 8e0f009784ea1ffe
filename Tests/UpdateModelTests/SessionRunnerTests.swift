import Bluetooth
import Simulation
import Synchronization
import Testing

@testable import UpdateModel

/// A peripheral whose control point answers each write with its number, after some stale values, and refuses EE.
private final class Peripheral: GATTClient {
    private let queue = NotificationQueue()
    private let time: Timekeeper
    private let answers = Mutex(0)

    init(time: Timekeeper) { self.time = time }

    var mtu: Int { get async { 103 } }

    func discoverServices() async throws(GATTError) -> [ServiceDeclaration] { [] }

    func discoverCharacteristics(in service: ServiceDeclaration) async throws(GATTError)
        -> [CharacteristicDeclaration]
    { [] }

    func discoverDescriptors(of declaration: CharacteristicDeclaration) async throws(GATTError)
        -> [DescriptorDeclaration]
    { [] }

    func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8] { [] }

    func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool { true }

    func read(_ source: Characteristic) async throws(GATTError) -> [UInt8] { [] }

    func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        if value == [0xEE] { throw .refused(ATTStatus(rawValue: 0x80), handle: 1, during: "writing") }
        let number = answers.withLock {
            $0 += 1
            return $0
        }
        queue.put([UInt8(number)])
        // A value after the answer is stale for the next request.
        queue.put([0xFF])
    }

    func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        do { try await time.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
    }

    func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue { queue }
}

/// Runs its commands one after the other and records their outcomes.
private struct ScriptedDialogue: Dialogue {
    typealias Ending = String
    typealias Notice = Never
    typealias Failure = Never
    typealias Step = DialogueStep<Ending, Notice>
    typealias Command = DialogueCommand<Ending>

    static let point = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0001))

    var commands: [Command]
    let time: Timekeeper
    var outcomes: [DialogueOutcome] = []
    var moments: [Duration] = []

    mutating func begin(on link: LinkFacts) -> Step { next() }

    mutating func note(_ times: CommandTimes) {}

    mutating func advance(after outcome: DialogueOutcome) -> Step {
        outcomes.append(outcome)
        moments.append(time.now)
        return next()
    }

    private mutating func next() -> Step { Step(commands.removeFirst()) }

    static func request(_ byte: UInt8) -> Command {
        .request([byte], on: point, answerOn: point, within: .seconds(3))
    }
}

/// Records the packets that have left.
private struct ProgressLog: SessionObserver {
    var positions: [Int] = []
    var totals: Set<Int> = []

    mutating func note(_ notice: Never) {}
    mutating func read(_ source: Characteristic, _ value: [UInt8]) {}
    mutating func book(_ length: Duration, to limit: SpeedLimit) {}
    mutating func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool) {
        positions.append(position)
        totals.insert(payload.total)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A dialogue over one link` {
    private struct Result {
        var dialogue: ScriptedDialogue
        var progress = ProgressLog()
        var ending: String?
        var ended = Duration.zero
    }

    private func play(
        _ commands: [ScriptedDialogue.Command], awaiting limit: Duration = .zero
    ) async throws -> Result {
        try await VirtualTime.run { time in
            let clock = time.clock
            let peripheral = Peripheral(time: clock)
            var result = Result(
                dialogue: ScriptedDialogue(
                    commands: [.subscribe(ScriptedDialogue.point)] + commands + [.end("over")], time: clock))
            var runner = SessionRunner(with: peripheral, time: clock)
            result.ending = try await runner.run(&result.dialogue, &result.progress)
            #expect(try await runner.deviceDisconnects(within: limit) == false)
            result.ended = clock.now
            return result
        }
    }

    @Test func `ends with its own result`() async throws {
        #expect(try await play([]).ending == "over")
    }

    @Test func `drops what had arrived before a request`() async throws {
        let result = try await play([ScriptedDialogue.request(7), ScriptedDialogue.request(8)])
        #expect(result.dialogue.outcomes == [.done, .value([1]), .value([2])])
    }

    @Test func `keeps what arrived before a mere listen`() async throws {
        let listen = ScriptedDialogue.Command.expect(from: ScriptedDialogue.point, within: .seconds(2))
        let result = try await play([ScriptedDialogue.request(7), listen, listen])
        #expect(result.dialogue.outcomes == [.done, .value([1]), .value([0xFF]), .timedOut])
        #expect(result.dialogue.moments.last == .seconds(2))
    }

    @Test func `waits from the last answer on, not from the last packet`() async throws {
        let bytes = [UInt8](repeating: 0, count: 100)
        let stream = ScriptedDialogue.Command.stream(
            PacketRun(
                bytes: bytes[...], target: ScriptedDialogue.point, packetLength: 20,
                payload: PayloadSpan(at: 0, of: 100)))
        let result = try await play([
            ScriptedDialogue.request(7), stream, .rest(.milliseconds(370)), .rest(.milliseconds(300)),
        ])
        #expect(result.dialogue.moments == [0, 0, 250, 370, 370].map { .milliseconds($0) })
    }

    /// Frames of XMODEM: three bytes before and two after each 128.
    @Test func `counts only the payload of a frame`() async throws {
        let frame = { (number: Int) in
            ScriptedDialogue.Command.stream(
                PacketRun(
                    bytes: [UInt8](repeating: 0, count: 133)[...], target: ScriptedDialogue.point,
                    packetLength: 4,
                    payload: PayloadSpan(at: number * 128, of: 256, header: 3, trailer: 2)))
        }
        let result = try await play([frame(0), frame(1)])
        // 16 packets at once, of 4 bytes.
        #expect(result.progress.positions == [61, 125, 128, 189, 253, 256])
        #expect(result.progress.totals == [256])
    }

    @Test func `counts nothing of a run that is not a payload`() async throws {
        let run = PacketRun(
            bytes: [1, 2, 3], target: ScriptedDialogue.point, packetLength: 2, payload: nil)
        #expect(try await play([.stream(run)]).progress.positions == [])
    }

    @Test func `treats a refusal as an outcome where the command allows it, and as a failure elsewhere`()
        async throws
    {
        let result = try await play([
            .write([0xEE], on: ScriptedDialogue.point, mayRefuse: true),
            .write([7], on: ScriptedDialogue.point, mayRefuse: true),
        ])
        #expect(result.dialogue.outcomes == [.done, .refused(status: 0x80), .done])
        await #expect(throws: GATTError.self) {
            _ = try await play([.write([0xEE], on: ScriptedDialogue.point, mayRefuse: false)])
        }
    }

    @Test func `waits for the disconnection as long as it is told to, even if the device keeps sending`()
        async throws
    {
        #expect(try await play([ScriptedDialogue.request(7)], awaiting: .seconds(5)).ended == .seconds(5))
    }
}

@Suite struct `The time of a block` {
    private static let trip = Duration.milliseconds(30)

    /// The shares of a block of `count` packets of 244 bytes that is answered after `milliseconds`, in milliseconds.
    private func shares(
        _ count: Int, _ milliseconds: Int, overlapping: Bool = false
    ) -> [SpeedLimit: Double] {
        var block = BlockShares()
        _ = block.left(count, of: count * 244, since: .seconds(1))
        if overlapping { block.overlap() }
        return block.answered(at: .seconds(1) + .milliseconds(milliseconds), trip: Self.trip)
            .mapValues { ($0 / .milliseconds(1)).rounded() }
    }

    @Test func `is that of a request, of the events with packets, and of the flash`() {
        #expect(shares(1, 30) == [.answers: 30, .air: 0, .flash: 0])
        #expect(shares(1, 20) == [.answers: 20, .air: 0, .flash: 0])
        #expect(shares(1, 130) == [.answers: 30, .air: 0, .flash: 100])
        #expect(shares(7, 130) == [.answers: 30, .air: 30, .flash: 70])
        #expect(shares(30, 165) == [.answers: 30, .air: 135, .flash: 0])
    }

    /// With several requests under way, packets are sent while others are answered.
    @Test func `counts for the air also while earlier blocks were answered`() {
        #expect(shares(30, 150, overlapping: true) == [.answers: 0, .air: 150, .flash: 0])
        #expect(shares(30, 400, overlapping: true) == [.answers: 0, .air: 150, .flash: 250])
        #expect(shares(3, 30, overlapping: true) == [.answers: 15, .air: 15, .flash: 0])
        #expect(shares(3, 43, overlapping: true) == [.answers: 15, .air: 15, .flash: 13])
    }

    @Test func `begins again after an answer`() {
        var block = BlockShares()
        _ = block.left(30, of: 7320, since: .zero)
        block.overlap()
        _ = block.answered(at: .seconds(1), trip: Self.trip)
        _ = block.left(1, of: 244, since: .seconds(2))
        #expect(block.answered(at: .milliseconds(2130), trip: Self.trip)[.flash] == .milliseconds(100))
        #expect(block.answered(at: .seconds(3), trip: Self.trip).isEmpty)
    }
}

@Suite struct `A request that only a notification answers` {
    @Test func `tells the time of an answer if it is short`() {
        var shares = WaitingShares()
        let first = shares.unacknowledgedRequest(took: .milliseconds(40), isShort: true, for: .flash)
        #expect(first == [.answers: .milliseconds(40), .flash: .zero] && !shares.hasRequests)
        _ = shares.unacknowledgedRequest(took: .milliseconds(20), isShort: false, for: .flash)
        _ = shares.unacknowledgedRequest(took: .milliseconds(30), isShort: true, for: .flash)
        #expect(shares.quickest == .milliseconds(30))
        let last = shares.unacknowledgedRequest(took: .seconds(1), isShort: true, for: .flash)
        #expect(last == [.answers: .milliseconds(30), .flash: .milliseconds(970)])
        #expect(shares.quickest == .milliseconds(30))
    }
}

@Suite struct `The waiting time between two requests` {
    /// A request that took `length`, after packets and 80 ms of waiting for the flash; the fastest took 30 ms.
    private func shares(_ length: Duration) -> [SpeedLimit: Duration] {
        var shares = WaitingShares()
        _ = shares.request(took: .milliseconds(30))
        shares.stream(for: .milliseconds(1))
        shares.wait(.milliseconds(80), for: .flash)
        return shares.request(took: length)
    }

    @Test(arguments: [30, 38, 45]) func `counts for the flash if the link was free again within an event`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == .milliseconds(80))
    }

    @Test(arguments: [46, 60, 200]) func `counts for the air if packets were still on their way`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == nil)
    }
}
