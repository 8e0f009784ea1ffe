import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `An update over SMP on a bad link` {
    private static let new = testUpload(version: 2, count: 3000, hasAddress: true)

    private static func servers() -> [SMPServer] {
        var old = SMPServer()
        (old.isVersion1, old.mode, old.buffers, old.joins) = (true, nil, nil, false)
        var checking = SMPServer()
        (checking.checksImages, checking.buffers) = (true, (244, 4))
        var direct = SMPServer()
        (direct.mode, direct.buffers) = (4, (300, 6))
        var keeping = SMPServer()
        keeping.keepsPieces = true
        return [SMPServer(), old, checking, direct, keeping]
    }

    /// Whether the update succeeds, and is right; or the power failed while the image was tried, which undoes
    /// it.
    private static func isRight(_ bench: inout SMPBench, _ fault: SMPBench.Fault) -> Bool {
        switch bench.failure {
        case nil: return bench.runs(new)
        case .smp.imageReverted?: return fault == .powerLost && bench.server.resets > 0
        default: return false
        }
    }

    @Test(arguments: SMPBench.Fault.allCases) func `succeeds whatever happens to one request`(
        fault: SMPBench.Fault
    ) throws {
        for server in Self.servers() {
            var whole = SMPBench([Self.new], server)
            _ = try whole.run()
            for place in 0..<whole.requests {
                var bench = SMPBench([Self.new], server)
                bench.fault = { $0 == place ? fault : .none }
                #expect(Self.isRight(&bench, fault), "request \(place) of \(whole.requests)")
            }
        }
    }

    @Test(arguments: SMPBench.Fault.allCases) func `succeeds whatever happens to two requests`(
        fault: SMPBench.Fault
    ) throws {
        var server = SMPServer()
        server.buffers = (600, 4)
        var whole = SMPBench([Self.new], server)
        _ = try whole.run()
        for first in 0..<whole.requests {
            for distance in 1...4 {
                var bench = SMPBench([Self.new], server)
                bench.fault = { $0 == first || $0 == first + distance ? fault : .none }
                #expect(Self.isRight(&bench, fault), "requests \(first) and \(distance) later")
            }
        }
    }

    @Test func `goes on at the offset that the beacon keeps`() throws {
        var server = SMPServer()
        server.buffers = (244, 4)
        for offset in [1, 31, 32, 33, 500, 2996, 2999] {
            server.session = SMPServer.Session(
                image: 0, length: 3000, digest: SHA256Digest.digest(Self.new.bytes),
                bytes: Array(Self.new.bytes.prefix(offset)))
            var bench = SMPBench([Self.new], server)
            #expect(try bench.run().proof != nil)
            #expect(bench.notices.contains(.resumed(at: offset)))
            #expect(bench.payload < 3000 - offset + 244)
            #expect(bench.runs(Self.new))
        }
    }

    @Test func `goes back once for a lost request`() throws {
        var server = SMPServer()
        server.buffers = (244, 6)
        var bench = SMPBench([testUpload(version: 2, count: 10_000)], server)
        bench.fault = { $0 == 12 ? .requestLost : .none }
        #expect(try bench.run().proof != nil)
        let retries = bench.notices.filter { if case .retry = $0 { true } else { false } }
        #expect(retries.count == 1 && bench.timeouts == 0)
        #expect(bench.payload < 10_000 + 6 * 244)
    }

    @Test func `does not send an image again that arrived although an answer was lost`() throws {
        var server = SMPServer()
        server.buffers = (244, 2)
        var whole = SMPBench([Self.new], server)
        _ = try whole.run()
        for place in 0..<whole.requests {
            var bench = SMPBench([Self.new], server)
            bench.fault = { $0 == place ? .answerLost : .none }
            #expect(try bench.run().proof != nil)
            #expect(bench.payload <= 3000 + 244 && bench.links == 2, "request \(place)")
        }
    }

    @Test(arguments: [1, 8, 9, 10, 18, 100, 253, 500, 1200])
    func `does not keep what an old beacon has made of a cut request`(missing: Int) throws {
        var server = SMPServer()
        server.keepsPieces = true
        for place in 5...8 {
            let image = testUpload(version: 2, count: 12_000)
            var bench = SMPBench([image], server)
            (bench.cutBytes, bench.fault) = (missing, { $0 == place ? .requestCut : .none })
            #expect(try bench.run().proof != nil)
            #expect(bench.runs(image), "request \(place)")
        }
    }

    @Test func `gives each request its own packet if joined ones are lost`() throws {
        var server = SMPServer()
        server.losesJoinedUploads = true
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        #expect(bench.links == 4)
    }

    @Test func `sends an image that arrived damaged once more`() throws {
        let match = Item.map([("off", .number(3000)), ("match", .flag(false))])
        var server = SMPServer()
        server.answers["1/1"] = [match]
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        server.answers["1/1"] = [match, match]
        bench = SMPBench([Self.new], server)
        #expect(bench.failure == .device.imageHashMismatch)
        #expect(bench.update.effectOnApplication == .intact)
    }

    @Test func `sends an image once more that the beacon says it has, and does not list`() throws {
        let all = Item.map([("off", .number(3000))])
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: testImage(version: 7))
        server.answers["1/1"] = [all]
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        server.answers["1/1"] = [all, all]
        bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.imageNotKept)
    }

    @Test(arguments: 0..<400) func `ends after a limited number of steps under random faults`(number: Int)
        throws
    {
        var seed = Seed(Seed.ofThisRun &+ UInt64(number) &* 7919)
        var server = Self.servers()[number % 5]
        server.boot = [.installs, .installs, .refuses, .skips][number / 4 % 4]
        let rate = Int.random(in: 2...30, using: &seed)
        let faults = (0..<4000).map { _ in
            seed.isOneIn(rate)
                ? SMPBench.Fault.allCases.randomElement(using: &seed) ?? .none : SMPBench.Fault.none
        }
        var bench = SMPBench([Self.new], server)
        bench.writeLength = [20, 100, 244][number % 3]
        bench.fault = { faults[$0 % faults.count] }
        let completion = try? bench.run()
        #expect(bench.steps < 20_000)
        if completion != nil {
            #expect(bench.runs(Self.new))
        }
    }
}

@Suite struct `A hostile beacon with SMP` {
    private static let new = testUpload(version: 2, count: 3000)
    private static let values: [Item] = [
        .map([]), .map([("off", .number(-1))]), .map([("off", .number(3001))]),
        .map([("off", .number(.max))]),
        .map([("off", .number(.min))]), .map([("off", .text("5"))]), .map([("off", .list([]))]),
        .map([("off", .number(0))]), .map([("off", .number(1))]), .map([("off", .number(2999))]),
        .map([("rc", .number(.max))]), .map([("rc", .number(.min))]), .map([("rc", .text("no"))]),
        .map([("err", .map([("group", .number(.min)), ("rc", .number(.max))]))]), .map([("err", .number(1))]),
        .map([("images", .number(1))]), .map([("images", .list([]))]),
        .map([("images", .list([.number(1), .map([]), .map([("slot", .number(-1))])]))]),
        .map([
            (
                "images",
                .list([.map([("slot", .number(255)), ("image", .number(.min)), ("active", .flag(true))])])
            )
        ]),
        .map([("buf_size", .number(.max)), ("buf_count", .number(.max))]),
        .map([("buf_size", .number(.min)), ("buf_count", .number(.min))]),
        .map([("buf_size", .number(64)), ("buf_count", .number(0))]), .map([("mode", .number(.max))]),
        .map([("r", .number(1))]),
    ]
    private static let commands = ["0/6", "0/0", "0/8", "1/6", "1/0", "1/1", "1/5", "0/5", "63/0"]

    @Test(arguments: values.indices) func `ends the update, whatever it answers`(value: Int) {
        for command in Self.commands {
            for count in [1, 3, 10_000] {
                var preferences = SMPPreferences()
                preferences.erasesStorage = true
                var server = SMPServer()
                server.answers[command] = [Item?](repeating: Self.values[value], count: count)
                var bench = SMPBench([Self.new], preferences, server)
                let failure = bench.failure
                #expect(failure != .system.internalError && bench.steps < 20_000, "\(command), \(count)")
                #expect(failure != nil || bench.runs(Self.new))
            }
        }
    }

    @Test(arguments: commands) func `ends the update if it never answers a request`(command: String) {
        var server = SMPServer()
        server.answers[command] = [Item?](repeating: nil, count: 10_000)
        var bench = SMPBench([Self.new], server)
        let failure = bench.failure
        switch command {
        case "1/0", "1/1": #expect(failure == .device.noAnswer)
        case "0/5": #expect(failure == .smp.notInstalled)
        default: #expect(failure == nil)
        }
    }

    @Test func `that asks for one byte after the other gets them`() throws {
        var server = SMPServer()
        server.answers["1/1"] = (1...500).map { .map([("off", .number($0))]) }
        var bench = SMPBench([Self.new], server)
        _ = bench.failure
        #expect(bench.steps < 20_000)
    }

    @Test func `that goes back again and again is left`() throws {
        var server = SMPServer()
        server.answers["1/1"] = (0..<100_000).map { .map([("off", .number($0 % 2 == 0 ? 400 : 200))]) }
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.requestsLost)
        #expect(bench.steps < 5000)
    }

    @Test func `that sends without end is left`() throws {
        for piece in [[], [1], [3, 0, 0, 1, 0, 1, 99, 1, 0xA0], [UInt8](repeating: 0xFF, count: 244)]
            as [[UInt8]]
        {
            var update = SMPUpdate([Self.new])
            var step = try update.begin(on: LinkFacts(maximumWriteLength: 244))
            var failure: UpdateFailure?
            for _ in 0..<20_000 where failure == nil {
                var outcome = DialogueOutcome.done
                if case .expect = step.command { outcome = .value(piece) }
                do throws(UpdateFailure) { step = try update.advance(after: outcome) } catch {
                    failure = error
                }
            }
            #expect(failure?.code == .device.unexpectedAnswer && failure?.mayReconnect == true)
        }
    }
}

@Suite struct `A link that ends during an update over SMP` {
    private static let new = testUpload(version: 2)

    @Test func `is an interruption until the image is marked, then a restart`() throws {
        var preferences = SMPPreferences()
        preferences.erasesStorage = true
        var whole = SMPBench([Self.new], preferences, SMPServer())
        _ = try whole.run()
        let restarting = DisconnectMeaning.mayRestart(within: .seconds(120))
        var seen: [DisconnectMeaning] = []
        for place in 0..<whole.requests {
            var bench = SMPBench([Self.new], preferences, SMPServer())
            bench.fault = { $0 == place ? .linkLost : .none }
            _ = try bench.run()
            seen.append(bench.meanings[0])
            #expect(bench.meanings.last == restarting)
        }
        let first = try #require(seen.firstIndex(of: restarting))
        #expect(
            seen[..<first].allSatisfy { $0 == .mustContinue }
                && seen[first...].allSatisfy { $0 == restarting }
        )
        // Buffers, echo, mode, sizes, list, upload, list, settings.
        #expect(first == 8)
    }

    @Test func `leaves the application as it is until the restart`() throws {
        var bench = SMPBench([Self.new], SMPServer())
        #expect(bench.update.effectOnApplication == nil)
        bench.fault = { $0 >= 3 ? .linkLost : .none }
        #expect(bench.failure == .device.linkLost)
        #expect(bench.update.effectOnApplication == nil)
        bench = SMPBench([Self.new], SMPServer())
        bench.fault = { $0 >= 6 ? .linkLost : .none }
        let failure = #expect(throws: UpdateFailure.self) { try bench.run() }
        #expect(bench.update.effectOnApplication == .intact)
        #expect(failure.flatMap { bench.update.remedy(for: $0) } != nil)
        bench = SMPBench([Self.new], SMPServer())
        bench.fault = { $0 >= 9 ? .linkLost : .none }
        _ = bench.failure
        #expect(bench.update.effectOnApplication == .unknown)
    }
}
