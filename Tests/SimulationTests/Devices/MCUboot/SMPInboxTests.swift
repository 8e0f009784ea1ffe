import Bytes
import TestSupport
import Testing

@testable import Simulation

@Suite struct `The buffers of a simulated SMP server` {
    private let echo = SMPBench.frame(0x0A, 0, 0, ["d": .text("hello")], sequence: 1)

    private static func reassembling(_ faults: [MCUbootFault] = []) throws -> SMPBench {
        try SMPBench(faults) {
            $0.server.reassembles = true
            $0.server.bufferSize = 512
        }
    }

    private func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    @Test(arguments: [8, 9, 16, 20])
    func `put pieces together if they can`(size: Int) throws {
        var bench = try Self.reassembling()
        for piece in pieces(echo, size) { bench.write(piece) }
        bench.pass(for: .milliseconds(10))
        #expect(SMPAnswer.list(bench.heard.flatMap(\.value)).first?.map?["r"]?.text == "hello")
        #expect(bench.errors == [])
    }

    @Test(arguments: [(0, 12), (0, 9), (5, 12)])
    func `take each write as a frame if they cannot`(command: UInt8, size: Int) throws {
        let frame = SMPBench.frame(0x0A, 0, command, ["d": .text("hello")], sequence: 1)
        var bench = try SMPBench()
        for piece in pieces(frame, size) { bench.write(piece) }
        bench.pass(for: .milliseconds(10))
        let answers = SMPAnswer.list(bench.heard.flatMap(\.value))
        #expect(answers.first?.map == ["rc": .number(9)])
        // An echo that ends before another header would be complete is the way to find that out.
        let isProbe = command == 0 && frame.count - size < 8
        #expect(bench.errors == (isProbe ? [] : ["smp-piece-without-reassembly"]))
        if isProbe { #expect(answers.count == 1) }
    }

    @Test func `drop a request that is too large`() throws {
        let large = SMPBench.frame(0x0A, 0, 0, ["d": .text(String(repeating: "a", count: 100))])
        for reassembles in [false, true] {
            var bench = try SMPBench {
                $0.server.reassembles = reassembles
                $0.server.bufferSize = 64
            }
            #expect(bench.answers(to: large).isEmpty)
            #expect(bench.errors == ["smp-request-too-large"] && bench.device.server.record.dropped == 1)
            #expect(bench.answers(to: echo).count == 1)
        }
    }

    @Test func `drop half a request when notifications are switched off, or the link ends`() throws {
        var bench = try Self.reassembling()
        bench.write(Array(echo.prefix(10)))
        #expect(bench.answers(to: echo).isEmpty)  // it was taken as the rest
        #expect(bench.errors == ["smp-interleaved-pieces"])
        bench.write(Array(echo.prefix(10)))
        bench.subscribe(0)
        bench.subscribe(1)
        #expect(bench.answers(to: echo).count == 1)
        bench.write(Array(echo.prefix(10)))
        bench.disconnect()
        bench.connect()
        #expect(bench.answers(to: echo).count == 1)
    }

    @Test func `drop requests that find no buffer`() throws {
        var bench = try SMPBench { $0.server.answerTime = .milliseconds(50) }
        for _ in 0..<5 { bench.write(echo) }
        bench.pass(for: .seconds(1))
        // One is processed, with its answer in another buffer; two wait.
        #expect(SMPAnswer.list(bench.heard.flatMap(\.value)).count == 3)
        #expect(bench.errors == ["smp-too-many-requests", "smp-too-many-requests"])
    }

    @Test func `process requests one after the other`() throws {
        var bench = try SMPBench { $0.server.answerTime = .milliseconds(50) }
        let before = bench.now
        for _ in 0..<3 { bench.write(echo) }
        bench.pass(for: .seconds(1))
        #expect(bench.heard.map { $0.at - before } == [50, 100, 150].map { .milliseconds($0) })
    }

    @Test func `lose waiting requests with the link, but not what was begun`() throws {
        var bench = try SMPBench { $0.server.answerTime = .milliseconds(50) }
        bench.write(SMPBench.frame(0x0A, 1, 1, SMPBench.first(SMPImages.next, 64)))
        bench.write(SMPBench.frame(0x0A, 1, 1, SMPBench.chunk(SMPImages.next, 64, 64)))
        bench.disconnect()
        bench.connect()
        bench.pass(for: .seconds(1))
        #expect(bench.heard.isEmpty)
        #expect(bench.ask(SMPBench.write, 1, 1, SMPBench.first(SMPImages.next, 64))?.offset == 64)
    }

    @Test(arguments: [UInt16(23), 65, 247], [false, true])
    func `send answers in pieces that fit the MTU`(mtu: UInt16, isShort: Bool) throws {
        var bench = try SMPBench(links: false) { $0.server.sendsShortPieces = isShort }
        bench.connect(mtu: mtu)
        let answers = bench.answers(to: [UInt8](hex: "0800000100010400a0"))
        #expect(SMPBench.lines(answers.first?.map) == ["0.0 1.0.0 confirmed active"])
        let sizes = bench.heard.map(\.value.count)
        #expect(sizes.allSatisfy { $0 <= Int(mtu) - 3 })
        #expect(sizes.dropLast().allSatisfy { $0 == Int(mtu) - 3 } == !(isShort && sizes.count > 2))
    }

    @Test func `send nothing to a client that does not listen`() throws {
        var bench = try SMPBench(links: false)
        bench.connect(listens: false)
        #expect(bench.answers(to: echo).isEmpty)
        #expect(bench.device.server.record.requests == 1)
    }
}

@Suite struct `A fault of a simulated SMP server` {
    private let echo = SMPBench.frame(0x0A, 0, 0, ["d": .text("hello")], sequence: 1)

    private func answers(_ fault: MCUbootFault) throws -> [SMPMap?] {
        var bench = try SMPBench([fault])
        return (0..<3).flatMap { _ in bench.answers(to: echo).map(\.map) }
    }

    private let right: SMPMap = ["r": .text("hello")]

    @Test func `changes one answer`() throws {
        #expect(try answers(.loseRequest(2)) == [right, right])
        #expect(try answers(.loseAnswer(2)) == [right, right])
        #expect(try answers(.doubleAnswer(2)) == [right, right, right, right])
        #expect(try answers(.busy(2)) == [right, ["rc": .number(10)], right])
        #expect(try answers(.meaninglessError(2)) == [right, ["rc": .number(254)], right])
        #expect(try answers(.malformedAnswer(2)) == [right, nil, right])
        #expect(try answers(.delayAnswer(1, by: .milliseconds(1500))) == [right, right, right])
    }

    @Test func `ends the link`() throws {
        for fault in [MCUbootFault.cutAtRequest(1), .cutInRequest(1)] {
            var bench = try SMPBench([fault])
            _ = bench.ask(SMPBench.write, 1, 1, SMPBench.first(SMPImages.next, 64))
            #expect(!bench.isLinked && bench.heard.isEmpty)
            bench.connect()
            let isExecuted = fault == .cutAtRequest(1)
            #expect(bench.device.acceptedBytes == (isExecuted ? 64 : 0))
            #expect(bench.state().count == (isExecuted ? 1 : 1))
        }
    }

    @Test func `ends the link in the middle of a request`() throws {
        var bench = try SMPBench([.cutInRequest(1)]) { $0.server.reassembles = true }
        bench.write(Array(echo.prefix(8)))
        #expect(bench.isLinked)
        bench.write(Array(echo[8..<12]))
        #expect(!bench.isLinked)
    }

    @Test func `ends the link during an erase, and keeps the beacon silent`() throws {
        var bench = try SMPBench([.eraseEndsLink(1)]) {
            $0.timing = .stock
            $0.images[0].second = SMPImages.next
        }
        _ = bench.answers(to: SMPBench.frame(0x0A, 1, 5), within: .milliseconds(10))
        #expect(!bench.isLinked && !bench.device.isAudible(at: bench.now))
        bench.pass(for: .seconds(2))
        #expect(bench.device.isAudible(at: bench.now))
        bench.connect()
        #expect(bench.state().count == 1)
    }

    @Test func `floods the client`() throws {
        var bench = try SMPBench([.endlessAnswer(1)])
        bench.write(echo)
        bench.pass(for: .seconds(1))
        #expect(bench.heard.count > 190 && SMPHeader(bench.heard[0].value)?.length == 0xFFFF)
        bench.disconnect()
        let count = bench.heard.count
        bench.connect()
        #expect(bench.answers(to: echo).count == 1 && bench.heard.count == count + 1)
    }

    @Test func `changes uploads, resets and confirmations`() throws {
        let image = SMPImages.next
        var full = try SMPBench([.noFreeSlot(1)])
        #expect(full.ask(SMPBench.write, 1, 1, SMPBench.first(image, 64))?.groupError == "1.9")
        #expect(full.upload(image)?.offset == image.count)
        var wrong = try SMPBench([.wrongOffset(1)])
        #expect(wrong.ask(SMPBench.write, 1, 1, SMPBench.first(image, 64))?.offset == 68)
        #expect(wrong.ask(SMPBench.write, 1, 1, SMPBench.chunk(image, 68, 64))?.offset == 64)
        var stubborn = try SMPBench([.ignoreReset(1), .refuseConfirm])
        #expect(stubborn.ask(SMPBench.write, 0, 5) == [:] && stubborn.isLinked)
        stubborn.update(image)
        #expect(stubborn.mark(nil, confirm: true)?.groupError == "1.12")
        #expect(stubborn.state().first == "0.0 1.1.0 active")
    }
}
