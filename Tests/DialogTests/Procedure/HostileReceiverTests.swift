import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Dialog

/// How a receiver in the tests misbehaves: each number means once in that many times; 0 is never.
private struct SUOTAMischief {
    var silence = 0
    var doubled = 0
    var late = 0
    var garbage = 0
    var lostLinks = 0
    var powerLoss = 0

    static func lossy(_ seed: inout Seed) -> SUOTAMischief {
        let rate = Int.random(in: 6...60, using: &seed)
        return SUOTAMischief(
            silence: rate, doubled: rate, late: rate, lostLinks: rate * 6, powerLoss: rate * 8)
    }

    static func lying(_ seed: inout Seed) -> SUOTAMischief {
        var mischief = lossy(&seed)
        mischief.garbage = Int.random(in: 3...40, using: &seed)
        return mischief
    }
}

/// One update of such a receiver, with new links after lost ones, checked from outside.
private struct SUOTAConversation {
    enum Ending: Equatable { case confirmed, unconfirmed, failed(FailureCode), endless }

    let image: SUOTAImage
    let mischief: SUOTAMischief
    var device: [String: String] = [:]
    var seed: Seed
    var receiver: ModelReceiver
    private(set) var links = 0
    private(set) var violations: [String] = []
    private var pending: [[UInt8]] = []
    private var belated: [[UInt8]] = []
    private var wasThere = false

    init(_ image: SUOTAImage, _ mischief: SUOTAMischief = SUOTAMischief(), _ seed: Seed = Seed(1)) {
        self.image = image
        self.mischief = mischief
        self.seed = seed
        receiver = ModelReceiver(isDA1458x: image.header.family == .da1458x)
    }

    mutating func run(_ preferences: SUOTAPreferences = SUOTAPreferences(), links limit: Int = 300) -> Ending
    {
        var procedure = SUOTAProcedure(image, preferences)
        do throws(UpdateFailure) {
            while links < limit {
                links += 1
                (pending, belated) = ([], [])
                if let ending = try overOneLink(&procedure) { return ending }
                receiver.linkEnded()
            }
            return .failed(.device.linkLost)
        } catch { return .failed(error.code) }
    }

    /// Nil if another link has to follow.
    private mutating func overOneLink(_ procedure: inout SUOTAProcedure) throws(UpdateFailure) -> Ending? {
        do throws(UpdateFailure) {
            var step = try procedure.begin(on: LinkFacts(maximumWriteLength: 244))
            for _ in 0..<20_000 {
                if case .end(.complete(let completion)) = step.command {
                    return completion.isConfirmed ? .confirmed : .unconfirmed
                }
                guard let outcome = outcome(of: step.command) else {
                    if case .refused(let failure) = procedure.disconnectMeaning { throw failure }
                    return nil
                }
                if outcome != .timedOut {
                    procedure.note(CommandTimes(started: .zero, ended: wasThere ? .zero : .milliseconds(20)))
                }
                step = try procedure.advance(after: outcome)
            }
            return .endless
        } catch {
            guard error.mayReconnect else { throw error }
            return nil
        }
    }

    private mutating func happens(_ rate: Int) -> Bool { rate > 0 && seed.isOneIn(rate) }

    /// Nil if the link is lost meanwhile.
    private mutating func outcome(of command: UpdateCommand) -> DialogueOutcome? {
        wasThere = false
        if happens(mischief.powerLoss) {
            receiver.restart()
            return nil
        }
        let isCut = happens(mischief.lostLinks)
        if isCut, seed.isOneIn(2) { return nil }
        let outcome = honest(command)
        return isCut ? nil : outcome
    }

    private mutating func honest(_ command: UpdateCommand) -> DialogueOutcome {
        switch command {
        case .read(let source): return read(source)
        case .request(let bytes, _, _, _):
            pending = []
            say(receiver.command(bytes))
            return next()
        case .write(let bytes, SUOTAService.memoryDevice, _): say(receiver.command(bytes))
        case .write(let bytes, SUOTAService.patchLength, _): say(receiver.announce(bytes))
        case .expect:
            // An answer to packets arrives after they have left; an answer to anything earlier is there before.
            return next()
        case .open: return .opened(maximumPacket: 100)
        case .stream(let run): stream(run)
        case .write, .subscribe, .rest: break
        case .end, .list, .find, .readHandle, .readIfAllowed:
            violations.append("\(command) is not part of it")
        }
        return .done
    }

    private func read(_ source: Characteristic) -> DialogueOutcome {
        switch source {
        case SUOTAService.status: return .value([receiver.status])
        case SUOTAService.memoryInformation: return .value(receiver.count.bytes)
        default:
            if SUOTASubject.names[source] == "software revision", receiver.running == image.bytes {
                return .value(Array("1.2.3".utf8))
            }
            return device[SUOTASubject.names[source] ?? ""].map { .value([UInt8](hex: $0)) } ?? .absent
        }
    }

    private mutating func stream(_ run: PacketRun) {
        let waiting = pending.count
        var rest = run.bytes
        while !rest.isEmpty {
            let packet = rest.prefix(run.packetLength)
            rest = rest.dropFirst(run.packetLength)
            if run.target == .channel {
                receiver.receiveOverChannel(packet)
            } else {
                say(receiver.receive(packet))
            }
        }
        early = waiting
    }
    private var early = 0

    private mutating func say(_ truth: UInt8?) {
        guard let truth, !happens(mischief.silence) else { return }
        if happens(mischief.late) { return belated.append([truth]) }
        if happens(mischief.garbage) {
            let length = Int.random(in: 0...3, using: &seed)
            return pending.append((0..<length).map { _ in UInt8.random(in: 0...0x1C, using: &seed) })
        }
        pending.append([truth])
        if happens(mischief.doubled) { pending.append([truth]) }
    }

    /// A delayed answer arrives after the deadline that it missed.
    private mutating func next() -> DialogueOutcome {
        guard !pending.isEmpty else {
            pending = belated
            belated = []
            early = 0
            return .timedOut
        }
        wasThere = early > 0
        early = max(0, early - 1)
        return .value(pending.removeFirst())
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A SUOTA conversation with a hostile receiver` {
    private static let count = 6000
    private static let batches = 3

    @Test(arguments: 0..<batches)
    func `ends in bounded steps, without false success or harm to the device`(_ batch: Int) throws {
        var seed = Seed(Seed.ofThisRun &+ UInt64(batch) << 40)
        var endings: [String: Int] = [:]
        for number in 0..<Self.count / Self.batches {
            let isLying = number.isMultiple(of: 2)
            let mischief = isLying ? SUOTAMischief.lying(&seed) : .lossy(&seed)
            let family = number % 3 == 0 ? HeaderFamily.da1468x : .da1458x
            let image = try SUOTASubject.image(family, payload: Int.random(in: 1...1500, using: &seed))
            var talk = SUOTAConversation(image, mischief, seed)
            if number % 4 < 2 { talk.device = family == .da1458x ? SUOTASubject.sdk6 : SUOTASubject.da1468x }
            let ending = talk.run()
            seed = talk.seed
            let place = "seed \(Seed.ofThisRun), batch \(batch), conversation \(number)"
            #expect(ending != .endless, "\(place)")
            #expect(talk.violations.isEmpty, "\(place): \(talk.violations)")
            #expect(talk.links < 300, "\(place)")
            if !isLying {
                #expect(talk.receiver.clientErrors.isEmpty, "\(place): \(talk.receiver.clientErrors)")
                if ending == .confirmed { #expect(talk.receiver.running == image.bytes, "\(place)") }
            }
            let name = if case .failed(let code) = ending { code.rawValue } else { "\(ending)" }
            endings[(isLying ? "lying " : "lossy ") + name, default: 0] += 1
        }
        print("seed \(Seed.ofThisRun), batch \(batch): \(endings.sorted { $0.key < $1.key })")
        #expect(endings["lossy confirmed", default: 0] > 600)
    }

    @Test func `never traps, whatever is answered`() throws {
        var seed = Seed(Seed.ofThisRun)
        var said = 0
        while said < 20_000 {
            let family = HeaderFamily.allCases.randomElement(using: &seed) ?? .da1458x
            var procedure = SUOTAProcedure(try SUOTASubject.image(family, payload: 300))
            for _ in 0..<8 {
                do throws(UpdateFailure) {
                    var step = try procedure.begin(
                        on: LinkFacts(maximumWriteLength: Int.random(in: -1...600, using: &seed)))
                    for _ in 0..<400 {
                        if case .end(.complete) = step.command { break }
                        said += 1
                        step = try procedure.advance(after: answer(step.command, &seed))
                    }
                } catch { _ = procedure.disconnectMeaning }
            }
        }
    }

    private func answer(_ command: UpdateCommand, _ seed: inout Seed) -> DialogueOutcome {
        let length = Int.random(in: 0...9, using: &seed)
        let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &seed) }
        switch (command, Int.random(in: 0...9, using: &seed)) {
        case (_, 0): return .value(noise)
        case (_, 1):
            return [.done, .timedOut, .absent, .refused(status: nil), .opened(maximumPacket: -5)][length % 5]
        case (.open, _): return .opened(maximumPacket: Int.random(in: -3...70_000, using: &seed))
        case (.read, 2...5), (.expect, 2...3): return .value(noise)
        case (.read, _): return .absent
        case (.request, _), (.expect, _): return .value([[2, 0x10, 2, 2, 4][length % 5]])
        default: return .done
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A conforming SUOTA receiver` {
    /// All lengths that the rules allow: those of a DA1468x, and from 64 on those of a DA1458x.
    @Test(arguments: [HeaderFamily.da1458x, .da1468x])
    func `has the same image, whatever the block and chunk sizes`(_ family: HeaderFamily) throws {
        let image = try SUOTASubject.image(family, payload: 1024)
        for block in 20...512 where family == .da1468x || block >= 64 {
            for chunk in [1, 2, 3, 7, 19, 20, 21, 64, 100, 120, 185, 243, 244] + [block % 244 + 1] {
                var preferences = SUOTAPreferences()
                (preferences.blockSize, preferences.chunkSize, preferences.transport) = (block, chunk, .gatt)
                var talk = SUOTAConversation(image)
                talk.device = SUOTASubject.sdk6
                guard talk.run(preferences) == .confirmed, talk.links == 1,
                    talk.receiver.running == image.bytes,
                    talk.receiver.clientErrors.isEmpty
                else {
                    Issue.record("block \(block), chunk \(chunk)")
                    return
                }
            }
        }
    }

    @Test func `has every byte once and in order, for all possible sizes`() {
        for block in 20...512 {
            for chunk in 1...244 {
                let plan = BlockPlan(uploadSize: 1089, blockSize: block, chunkSize: chunk)
                var end = 0
                for number in 0..<plan.blockCount {
                    let range = plan.block(number)
                    guard range.lowerBound == end, !range.isEmpty, range.count <= max(block, chunk) else {
                        Issue.record("block \(block), chunk \(chunk)")
                        return
                    }
                    end = range.upperBound
                }
                #expect(end == 1089)
            }
        }
    }

    @Test(arguments: [1, 55, 63, 64, 100, 1000, 5000])
    func `has an image of any size, over a channel too`(_ size: Int) throws {
        for family in [HeaderFamily.da1458x, .da1468x] {
            for device in [[:], family == .da1458x ? SUOTASubject.sdk6 : SUOTASubject.da1468x] {
                let image = try SUOTASubject.image(family, payload: size)
                var talk = SUOTAConversation(image)
                talk.device = device
                #expect(talk.run() == .confirmed)
                #expect(talk.receiver.running == image.bytes)
                #expect(talk.receiver.clientErrors.isEmpty)
            }
        }
    }
}
