import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

/// How a device in the tests misbehaves: each number means once in that many answers; 0 is never.
struct Mischief {
    var silence = 0
    var stale = 0
    /// The maximum age of a stale answer: 1 is the last one, doubled.
    var staleAge = 1
    var garbage = 0
    var refusal = 0
    var hugeNumbers = 0
    var lostPackets = 0
    var lostLinks = 0

    /// Loses and repeats packets, but sends nothing false.
    static func lossy(_ seed: inout Seed) -> Mischief {
        let rate = Int.random(in: 4...40, using: &seed)
        return Mischief(silence: rate, stale: rate, lostPackets: rate * 2, lostLinks: rate * 4)
    }

    /// Sends anything.
    static func lying(_ seed: inout Seed) -> Mischief {
        let rate = Int.random(in: 3...60, using: &seed)
        return Mischief(
            silence: rate, stale: rate, staleAge: 3, garbage: rate, refusal: rate, hugeNumbers: rate,
            lostPackets: rate * 2,
            lostLinks: rate * 4)
    }
}

/// One conversation with such a device, checked from outside.
struct HostileConversation {
    enum Ending: Equatable { case confirmed, unconfirmed, failed(FailureCode), endless }

    let image: SecureImage
    let mischief: Mischief
    var seed: Seed
    var device: ModelBootloader
    private(set) var steps = 0
    private(set) var violations: [String] = []
    private var said: [[UInt8]] = []
    private var receipts: [[UInt8]] = []
    private var lastRequest: [UInt8] = []
    private var lastOutcome = DialogueOutcome.done
    /// The bytes that may still come before the next Create; nil until the first one on this link.
    private var room: Int?
    /// Packets beyond the capacity, by the received bytes.
    private(set) var overruns: [String] = []

    init(_ image: SecureImage, _ mischief: Mischief, maximum: Int, _ seed: Seed) {
        self.image = image
        self.mischief = mischief
        self.seed = seed
        device = ModelBootloader(imageSize: image.bytes.count)
        device.dataMaximum = maximum
    }

    mutating func run(payload: Int, receipts: Int?, atMost limit: Int) -> Ending {
        var procedure = SecureProcedure(image, receiptInterval: receipts)
        var links = 0
        do {
            var step = try procedure.begin(on: LinkFacts(maximumWriteLength: payload))
            while steps < limit {
                steps += 1
                if case .end(.complete(let completion)) = step.command {
                    check(completion)
                    return completion.isConfirmed ? .confirmed : .unconfirmed
                }
                if case .end(.restart) = step.command {
                    room = nil
                    said = []
                    step = try procedure.begin(on: LinkFacts(maximumWriteLength: payload))
                    continue
                }
                if mischief.lostLinks > 0, links < 6, seed.isOneIn(mischief.lostLinks) {
                    links += 1
                    room = nil
                    said = []
                    step = try procedure.begin(on: LinkFacts(maximumWriteLength: payload))
                    continue
                }
                lastOutcome = outcome(of: step.command)
                step = try procedure.advance(after: lastOutcome)
            }
            return .endless
        } catch {
            return .failed(error.code)
        }
    }

    private mutating func check(_ completion: Completion) {
        guard case .value(let bytes) = lastOutcome, bytes.starts(with: [0x60, 4, 1]), lastRequest == [4]
        else {
            return violations.append("complete after \(lastOutcome) to \(lastRequest)")
        }
    }

    private mutating func outcome(of command: UpdateCommand) -> DialogueOutcome {
        switch command {
        case .subscribe, .rest, .end(.complete): return .done
        case .end(.restart), .write, .read, .open, .list, .find, .readHandle, .readIfAllowed:
            violations.append("\(command) is not part of Secure DFU")
            return .done
        case .stream(let run):
            stream(run)
            return .done
        case .request(let bytes, _, _, _):
            lastRequest = bytes
            receipts = []
            if bytes.first == 1 { room = bytes[2...].reversed().reduce(0) { $0 << 8 | Int($1) } }
            return answer(device.answer(bytes))
        case .expect:
            guard !receipts.isEmpty else { return answer(nil) }
            return answer(receipts.removeFirst())
        }
    }

    private mutating func stream(_ run: PacketRun) {
        let source = run.payload?.position == nil ? image.initPacket : image.bytes
        let range = run.bytes.indices
        if range.isEmpty || range.upperBound > source.count || source[range] != run.bytes {
            violations.append("streams \(range) of \(source.count)")
        }
        if let room {
            if range.count > room { overruns.append("\(range) into an object with room for \(room)") }
            self.room = room - range.count
        }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: run.packetLength) {
            let packet = run.bytes[start..<min(start + run.packetLength, range.upperBound)]
            let isLost = mischief.lostPackets > 0 && seed.isOneIn(mischief.lostPackets)
            if isLost { room = room.map { $0 + packet.count } }
            if let receipt = isLost ? device.countPacket() : device.receive(packet) {
                receipts.append(receipt)
            }
        }
    }

    private mutating func answer(_ truth: [UInt8]?) -> DialogueOutcome {
        func happens(_ rate: Int) -> Bool { rate > 0 && seed.isOneIn(rate) }
        guard let truth, !happens(mischief.silence) else { return .timedOut }
        // An old answer comes first, and the right one after it.
        if happens(mischief.stale), let old = said.suffix(mischief.staleAge).randomElement(using: &seed) {
            receipts.insert(truth, at: 0)
            return .value(old)
        }
        said.append(truth)
        if happens(mischief.garbage) {
            let length = Int.random(in: 0...20, using: &seed)
            return .value((0..<length).map { _ in UInt8.random(in: 0...255, using: &seed) })
        }
        if happens(mischief.refusal) {
            return .value([0x60, truth[1], UInt8.random(in: 0...12, using: &seed), 5])
        }
        if happens(mischief.hugeNumbers) {
            let numbers: [UInt32] = [0, 1, 3, 5, 0x7FFF_FFFF, 0xFFFF_FFFF, UInt32(image.bytes.count), 64]
            let count = truth[1] == 6 ? 3 : 2
            return .value(
                [0x60, truth[1], 1] + (0..<count).flatMap { _ in numbers[Int(seed.next() & 7)].bytes })
        }
        return .value(truth)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A conversation with a hostile device` {
    private static let count = 20_000
    private static let batches = 8

    @Test(arguments: 0..<batches)
    func `ends in bounded steps, inside the objects, without false success`(_ batch: Int) {
        var seed = Seed(Seed.ofThisRun &+ UInt64(batch) << 40)
        var endings: [String: Int] = [:]
        for number in 0..<Self.count / Self.batches {
            let isLying = number.isMultiple(of: 2)
            let mischief = isLying ? Mischief.lying(&seed) : .lossy(&seed)
            let maximum = [64, 32, 4096, 5, 3, 1, 0xFFFF_FFFF, 0].randomElement(using: &seed) ?? 64
            let image = SecureSubject.firmware(
                Int.random(in: 1...150, using: &seed), initPacket: Array(SecureSubject.initPacket.prefix(40)))
            var talk = HostileConversation(image, mischief, maximum: isLying ? maximum : 64, seed)
            let ending = talk.run(
                payload: [4, 8, 20].randomElement(using: &seed) ?? 20,
                receipts: [nil, 0, 1, 3].randomElement(using: &seed) ?? nil, atMost: 20_000)
            seed = talk.seed
            let place = "seed \(Seed.ofThisRun), batch \(batch), conversation \(number)"
            #expect(ending != .endless, "\(place)")
            #expect(talk.violations.isEmpty, "\(place): \(talk.violations)")
            // The procedure continues from what the device reports: with a false report it sends too much.
            if !isLying {
                #expect(talk.device.excess == 0 && talk.overruns.isEmpty, "\(place): \(talk.overruns)")
            }
            if !isLying, ending == .confirmed {
                #expect(talk.device.isFinished, "\(place)")
                #expect(talk.device.data == image.bytes, "\(place)")
                #expect(talk.device.command == image.initPacket, "\(place)")
            }
            endings[isLying ? "lying" : "lossy", default: 0] += ending == .confirmed ? 1 : 0
        }
        print("seed \(Seed.ofThisRun), batch \(batch): confirmed \(endings.sorted { $0.key < $1.key })")
        #expect(endings["lossy", default: 0] > 100)
    }

    @Test func `is a plain run when the device behaves correctly`() {
        for count in [1, 4, 63, 64, 65, 200] {
            for receipts in [nil, 0, 1, 3] as [Int?] {
                var talk = HostileConversation(
                    SecureSubject.firmware(count), Mischief(), maximum: 64, Seed(1))
                #expect(talk.run(payload: 20, receipts: receipts, atMost: 200) == .confirmed)
                #expect(talk.violations.isEmpty)
                #expect(talk.device.data == SecureSubject.image(count))
                #expect(talk.device.isFinished)
                #expect(talk.device.excess == 0)
            }
        }
    }

    /// The same answer for every request; an unrelated one for most of them.
    @Test(
        arguments: [
            [], [0x60, 3, 1], [0x60, 1, 1], [0x60, 4, 1], [0x60, 2, 1], [0x60, 1, 5], [0x60, 4, 8],
            [0x60, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0x60, 6, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func `ends although the device always sends the same`(_ answer: [UInt8]) throws {
        var procedure = SecureProcedure(SecureSubject.firmware(64))
        var command = try procedure.begin(on: LinkFacts(maximumWriteLength: 20)).command
        let failure = #expect(throws: UpdateFailure.self) {
            for _ in 0..<1000 {
                let isQuestion =
                    switch command {
                    case .request, .expect: true
                    default: false
                    }
                command = try procedure.advance(after: isQuestion ? .value(answer) : .done).command
            }
        }
        #expect(failure != nil)
    }

    /// The right opcode and the same result for every request.
    @Test(arguments: 0...255) func `ends although every request has the same result`(_ result: Int) throws {
        var procedure = SecureProcedure(SecureSubject.firmware(64))
        var device = ModelBootloader(imageSize: 64)
        device.dataMaximum = 16
        // The first requests are answered correctly, so that each of them gets the result once.
        for honest in 0...9 {
            var left = honest
            var command = try procedure.begin(on: LinkFacts(maximumWriteLength: 20)).command
            var isOver = false
            for _ in 0..<2000 where !isOver {
                var outcome = DialogueOutcome.done
                switch command {
                case .request(let bytes, _, _, _):
                    let truth = device.answer(bytes)
                    outcome = .value(left > 0 ? truth : [0x60, bytes[0], UInt8(result)] + truth.dropFirst(3))
                    left -= 1
                case .expect: outcome = .timedOut
                case .stream(let run):
                    _ = device.receive(run.bytes)
                default: break
                }
                do { command = try procedure.advance(after: outcome).command } catch { isOver = true }
                if case .end(.complete) = command { isOver = true }
            }
            #expect(isOver, "result \(result) after \(honest) requests")
        }
    }
}
