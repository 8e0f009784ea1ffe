import TestSupport
import Testing
import UpdateModel

@testable import Nordic

/// How a device in the tests misbehaves: each number means once in that many times; 0 is never.
private struct LegacyMischief {
    var silence = 0
    var doubled = 0
    var late = 0
    var garbage = 0
    var refusal = 0
    var lostPackets = 0
    var lostLinks = 0
    var powerLoss = 0

    static func lossy(_ seed: inout Seed) -> LegacyMischief {
        let rate = Int.random(in: 8...80, using: &seed)
        return LegacyMischief(
            silence: rate, doubled: rate, late: rate, lostPackets: rate * 4, lostLinks: rate * 4,
            powerLoss: rate * 8)
    }

    static func lying(_ seed: inout Seed) -> LegacyMischief {
        let rate = Int.random(in: 3...60, using: &seed)
        return LegacyMischief(
            silence: rate, doubled: rate, late: rate, garbage: rate, refusal: rate, lostPackets: rate,
            lostLinks: rate * 4, powerLoss: rate * 8)
    }
}

/// One update of such a device, with new links after lost ones, checked from outside.
private struct HostileLegacyConversation {
    enum Ending: Equatable { case confirmed, unconfirmed, failed(FailureCode), endless }

    private struct LinkLost: Error {}

    let image: LegacyImage
    let mischief: LegacyMischief
    var seed: Seed
    var device: ModelLegacyBootloader
    private(set) var violations: [String] = []
    private(set) var links = 0
    private var pending: [[UInt8]] = []
    private var belated: [[UInt8]] = []

    init(_ image: LegacyImage, _ mischief: LegacyMischief, isOld: Bool, _ seed: Seed) {
        self.image = image
        self.mischief = mischief
        self.seed = seed
        device = ModelLegacyBootloader(isOld: isOld)
    }

    mutating func run(receipts: Int?, links limit: Int) -> Ending {
        var procedure = LegacyProcedure(image, receiptInterval: receipts)
        do throws(UpdateFailure) {
            while links < limit {
                links += 1
                pending = []
                belated = []
                if let ending = try overOneLink(&procedure) { return ending }
            }
            return .failed(.device.linkLost)
        } catch { return .failed(error.code) }
    }

    /// Nil if another link has to follow.
    private mutating func overOneLink(_ procedure: inout LegacyProcedure) throws(UpdateFailure) -> Ending? {
        do throws(UpdateFailure) {
            var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 244))
            for _ in 0..<5000 {
                switch step.command {
                case .end(.complete(let completion)):
                    return completion.isConfirmed ? .confirmed : .unconfirmed
                case .end(.restart): return nil
                default: break
                }
                guard let outcome = outcome(of: step.command) else {
                    if case .perhapsDone = procedure.disconnectMeaning, device.installed != nil {
                        return .unconfirmed
                    }
                    return nil
                }
                step = try procedure.advance(after: outcome)
            }
            return .endless
        } catch {
            guard error.mayReconnect else { throw error }
            return nil
        }
    }

    /// Nil if the link is lost meanwhile.
    private mutating func outcome(of command: UpdateCommand) -> DialogueOutcome? {
        func happens(_ rate: Int) -> Bool { rate > 0 && seed.isOneIn(rate) }
        if happens(mischief.powerLoss) {
            device.restart()
            return nil
        }
        let isCutAfter = happens(mischief.lostLinks) && seed.isOneIn(2)
        if !isCutAfter, happens(mischief.lostLinks) { return nil }
        let outcome: DialogueOutcome
        switch command {
        case .subscribe, .rest: outcome = .done
        case .read: outcome = device.isOld ? .absent : .value([8, 0])
        case .readIfAllowed: outcome = .absent
        case .write(let bytes, _, _):
            say(device.write(bytes))
            outcome = .done
        case .request(let bytes, _, _, _):
            pending = []
            say(device.write(bytes))
            outcome = next()
        case .expect: outcome = next()
        case .stream(let run):
            stream(run)
            outcome = .done
        case .end, .open, .list, .find, .readHandle:
            violations.append("\(command) is not part of it")
            outcome = .done
        }
        return isCutAfter ? nil : outcome
    }

    private mutating func stream(_ run: PacketRun) {
        if run.packetLength > 20 { violations.append("packets of \(run.packetLength) bytes") }
        let bytes = Array(run.bytes)
        for start in stride(from: 0, to: bytes.count, by: run.packetLength) {
            let isLost =
                run.payload?.position != nil && mischief.lostPackets > 0 && seed.isOneIn(mischief.lostPackets)
            guard !isLost else { continue }
            say(device.receive(Array(bytes[start..<min(start + run.packetLength, bytes.count)])))
        }
    }

    private mutating func say(_ truth: [UInt8]?) {
        func happens(_ rate: Int) -> Bool { rate > 0 && seed.isOneIn(rate) }
        guard let truth, !happens(mischief.silence) else { return }
        if happens(mischief.late) { return belated.append(truth) }
        if happens(mischief.garbage) {
            let length = Int.random(in: 0...8, using: &seed)
            return pending.append((0..<length).map { _ in UInt8.random(in: 0...18, using: &seed) })
        }
        if happens(mischief.refusal), truth.count >= 3 {
            return pending.append([0x10, truth[1], UInt8.random(in: 0...8, using: &seed)])
        }
        pending.append(truth)
        if happens(mischief.doubled) { pending.append(truth) }
    }

    /// A delayed answer arrives after the deadline that it missed.
    private mutating func next() -> DialogueOutcome {
        guard !pending.isEmpty else {
            pending = belated
            belated = []
            return .timedOut
        }
        return .value(pending.removeFirst())
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Legacy conversation with a hostile device` {
    private static let count = 8000
    private static let batches = 4

    @Test(arguments: 0..<batches)
    func `ends in bounded steps, without false success`(_ batch: Int) throws {
        var seed = Seed(Seed.ofThisRun &+ UInt64(batch) << 40)
        var endings: [String: Int] = [:]
        for number in 0..<Self.count / Self.batches {
            let isLying = number.isMultiple(of: 2)
            let mischief = isLying ? LegacyMischief.lying(&seed) : .lossy(&seed)
            let image = try LegacySubject.firmware(4 * Int.random(in: 1...120, using: &seed))
            var talk = HostileLegacyConversation(image, mischief, isOld: number % 8 < 2, seed)
            let ending = talk.run(
                receipts: [nil, 0, 1, 3, 8].randomElement(using: &seed) ?? nil, links: 200)
            seed = talk.seed
            let place = "seed \(Seed.ofThisRun), batch \(batch), conversation \(number)"
            #expect(ending != .endless, "\(place)")
            #expect(talk.violations.isEmpty, "\(place): \(talk.violations)")
            #expect(talk.links < 200, "\(place)")
            if !isLying, ending == .confirmed {
                #expect(talk.device.installed == image.bytes, "\(place)")
            }
            let name: String
            switch ending {
            case .failed(let code): name = code.rawValue
            default: name = "\(ending)"
            }
            endings[(isLying ? "lying " : "lossy ") + name, default: 0] += 1
        }
        print("seed \(Seed.ofThisRun), batch \(batch): \(endings.sorted { $0.key < $1.key })")
        #expect(endings["lossy confirmed", default: 0] > 100)
    }

    @Test(arguments: [false, true], [nil, 0, 1, 3, 8, 100] as [Int?])
    func `is a plain run when the device behaves correctly`(_ isOld: Bool, _ receipts: Int?) throws {
        for count in [4, 16, 20, 24, 160, 164, 400] {
            let image = try LegacySubject.firmware(count)
            var talk = HostileLegacyConversation(image, LegacyMischief(), isOld: isOld, Seed(1))
            #expect(talk.run(receipts: receipts, links: 3) == .confirmed)
            #expect(talk.links == 1)
            #expect(talk.device.installed == image.bytes)
            #expect(talk.device.installedWith == (isOld ? [0x7F, 0x29] : image.initPacket?.bytes))
            #expect(talk.device.restarts == 0)
        }
    }

    /// The same notification for every packet.
    @Test(
        arguments: [
            [], [0x10, 1, 1], [0x10, 2, 1], [0x10, 3, 1], [0x10, 4, 1], [0x10, 1, 2], [0x10, 3, 6],
            [0x10, 7, 1, 0, 0, 0, 0], [0x10, 7, 2], [0x11, 0xA0, 0, 0, 0], [0x60, 1, 1],
        ] as [[UInt8]])
    func `ends although the device always sends the same`(_ answer: [UInt8]) throws {
        for honest in 0..<6 {
            var procedure = LegacyProcedure(try LegacySubject.firmware())
            var device = ModelLegacyBootloader()
            var left = honest
            var truth: [UInt8]?
            var isOver = false
            var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
            for _ in 0..<5000 where !isOver {
                var outcome = DialogueOutcome.done
                switch step.command {
                case .read: outcome = .value([8, 0])
                case .write(let bytes, _, _): truth = device.write(bytes) ?? truth
                case .request(let bytes, _, _, _):
                    truth = device.write(bytes) ?? truth
                    outcome = .value(left > 0 ? truth ?? answer : answer)
                    left -= 1
                case .expect:
                    outcome = .value(left > 0 ? truth ?? answer : answer)
                    left -= 1
                case .stream(let run):
                    let bytes = Array(run.bytes)
                    for start in stride(from: 0, to: bytes.count, by: 20) {
                        truth = device.receive(Array(bytes[start..<min(start + 20, bytes.count)])) ?? truth
                    }
                default: break
                }
                do throws(UpdateFailure) {
                    if case .end(.restart) = step.command {
                        step = try procedure.begin(on: LinkFacts(maximumWriteLength: 20))
                    } else {
                        step = try procedure.advance(after: outcome)
                    }
                    if case .end(.complete) = step.command { isOver = true }
                } catch { isOver = true }
            }
            #expect(isOver, "after \(honest) answers")
        }
    }
}
