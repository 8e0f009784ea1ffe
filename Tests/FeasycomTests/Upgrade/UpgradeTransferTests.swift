import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `An FBeacon transfer` {
    @Test func `has the packets that the vendor documents`() {
        let first = BlockFrame.bytes(of: (0..<1024).map { UInt8(truncatingIfNeeded: $0) }, index: 0, .whole)
        #expect(first.count == 1029 && first.prefix(3) == [2, 1, 0xFE] && first.suffix(2) == [0xC2, 0xE0])
        let last = BlockFrame.bytes(of: Array("hello".utf8), index: 1, .skipping)
        #expect(last.prefix(3) == [2, 2, 0xFD] && last.suffix(2) == [0xCE, 0x40])
        #expect(last[8] == 0x1A && last[9..<1027].allSatisfy { $0 == 0 })
        let sum = BlockFrame.bytes(of: [UInt8](repeating: 1, count: 1024), index: 2, .summed)
        #expect(sum.count == 1028 && sum.last == 0)
    }

    @Test func `counts blocks modulo 256`() {
        #expect(BlockFrame.bytes(of: [1], index: 254, .whole).prefix(3) == [2, 255, 0])
        #expect(BlockFrame.bytes(of: [1], index: 255, .whole).prefix(3) == [2, 0, 255])
        #expect(BlockFrame.bytes(of: [1], index: 511, .whole)[1] == 0)
    }

    @Test(arguments: [(0x53, 0, 1029), (0x43, 1024, 1029), (0x15, 0, 1028)] as [(UInt8, Int, Int)])
    func `sends the part that the opening byte requests`(byte: UInt8, skipped: Int, length: Int) throws {
        var talk = try UpgradeTalk.begun(FBeaconUpgrade(UpgradeTalk.container(300 * 1024 + 5)))
        try talk.enter()
        try talk.hear(UpgradeTalk.stayingReply)
        try talk.hear([byte])
        let payload = UpgradeTalk.container(300 * 1024 + 5).payload
        var data: [UInt8] = []
        while let packet = talk.packet {
            #expect(packet.count == length && packet[1] == ~packet[2])
            #expect(packet[1] == UInt8(truncatingIfNeeded: data.count / 1024 + 1))
            data += packet[3..<1027]
            try talk.answer(UpgradeTalk.taken)
        }
        #expect(talk.dialogue.total == payload.count - skipped)
        #expect(data.prefix(talk.dialogue.total) == payload.dropFirst(skipped))
        #expect(talk.request == [4])
        try talk.hear(UpgradeTalk.taken)
        #expect(talk.completion?.isConfirmed == true)
    }

    @Test func `has nothing for a device that skips all of it`() throws {
        var talk = try UpgradeTalk.begun(1024)
        try talk.enter()
        try talk.hear(UpgradeTalk.stayingReply)
        try talk.hear([0x43])
        #expect(talk.request == UpgradeTalk.cancel)
    }

    @Test func `sends a refused packet again, once for any number of refusals`() throws {
        var talk = try UpgradeTalk.sending()
        for _ in 0..<10 { try talk.hear(UpgradeTalk.again) }
        try talk.take(.timedOut)
        #expect(talk.block == 1)
        try talk.answer(UpgradeTalk.taken)
        try talk.take(.timedOut, after: .milliseconds(200))
        #expect(talk.block == 2)
    }

    @Test func `accepts an answer that comes after refusals`() throws {
        var talk = try UpgradeTalk.sending()
        for _ in 0..<10 { try talk.hear(UpgradeTalk.again) }
        try talk.hear(UpgradeTalk.taken)
        try talk.take(.timedOut, after: .milliseconds(200))
        #expect(talk.block == 2)
    }

    @Test func `does not count a late answer for the next block`() throws {
        var talk = try UpgradeTalk.sending()
        try talk.take(.timedOut, after: .seconds(1))
        #expect(talk.block == 1)
        try talk.answer(UpgradeTalk.taken)
        // The answer to the same block, sent twice, comes twice.
        #expect(talk.packet == nil)
        try talk.hear(UpgradeTalk.taken)
        #expect(talk.packet == nil)
        try talk.take(.timedOut, after: .milliseconds(200))
        #expect(talk.block == 2)
    }

    @Test func `does not count a doubled answer for the next block`() throws {
        var talk = try UpgradeTalk.sending()
        try talk.hear(UpgradeTalk.taken)
        #expect(talk.block == 2)
        try talk.take(.done, after: .milliseconds(1))
        try talk.hear(UpgradeTalk.taken, after: .milliseconds(10))
        #expect(talk.packet == nil && talk.limit != nil)
        try talk.hear(UpgradeTalk.taken, after: .milliseconds(50))
        #expect(talk.block == 3)
    }

    @Test func `repeats a packet that only a doubled answer has followed`() throws {
        var talk = try UpgradeTalk.sending()
        try talk.hear(UpgradeTalk.taken)
        try talk.take(.done, after: .milliseconds(1))
        try talk.hear(UpgradeTalk.taken, after: .zero)
        try talk.take(.timedOut, after: .seconds(1))
        #expect(talk.block == 2)
    }

    @Test func `skips bytes that are not an answer`() throws {
        for bytes in [[], [0x3F], [0x06, 0x06], Array("OK,3E038B021500".utf8), [0x53], [0x04]] as [[UInt8]] {
            var talk = try UpgradeTalk.sending()
            try talk.hear(bytes)
            #expect(talk.packet == nil && talk.limit != nil)
            try talk.hear(UpgradeTalk.taken)
            #expect(talk.block == 2)
        }
    }

    @Test func `tries a packet 24 times, then cancels at the device`() throws {
        for isRefused in [false, true] {
            var talk = try UpgradeTalk.sending()
            var count = 1
            while talk.request == nil {
                if isRefused { try talk.hear(UpgradeTalk.again) }
                try talk.take(.timedOut)
                if talk.packet != nil {
                    count += 1
                    try talk.take(.done)
                }
            }
            #expect(count == 24 && talk.request == UpgradeTalk.cancel)
            #expect(talk.dialogue.effectOnApplication == (isRefused ? .intact : .unknown))
            let failure = #expect(throws: UpdateFailure.self) { try talk.hear(UpgradeTalk.cancel) }
            #expect(failure?.code.rawValue == (isRefused ? "packet-refused" : "no-answer"))
            #expect(failure?.mayReconnect == true)
        }
    }

    @Test func `restarts if the device requests the first block in the middle, and accepts no other restart`()
        throws
    {
        var talk = try UpgradeTalk.sending()
        try talk.hear(UpgradeTalk.taken)
        try talk.take(.done)
        try talk.hear([0x53])
        var late = talk
        try late.hear(UpgradeTalk.taken)
        #expect(late.block == 3)
        _ = talk.takeNotices()
        try talk.take(.timedOut, after: .seconds(1))
        #expect(talk.block == 1)
        #expect(talk.notices.contains(.retry(reason: .device.unexpectedAnswer, from: 0)))
    }

    @Test func `accepts an answer that came quickly when no other follows`() throws {
        var talk = try UpgradeTalk.sending()
        try talk.hear(UpgradeTalk.taken, after: .milliseconds(300))
        try talk.take(.done, after: .milliseconds(1))
        try talk.hear(UpgradeTalk.taken, after: .milliseconds(20))
        #expect(talk.packet == nil && talk.limit == .milliseconds(360))
        try talk.take(.timedOut, after: .milliseconds(360))
        #expect(talk.block == 3)
    }

    @Test func `uses a bounded number of new links when the device ends them`() throws {
        var talk = try UpgradeTalk.sending()
        var ends = 0
        while true {
            try talk.hear(UpgradeTalk.cancel)
            let failure = #expect(throws: UpdateFailure.self) { try talk.take(.timedOut) }
            #expect(failure?.code.rawValue == "transfer-cancelled")
            ends += 1
            guard failure?.mayReconnect == true else { break }
            try talk.begin()
            try talk.enter()
            for _ in 0..<FBeaconUpgrade.pollsInDoubt { try talk.take(.timedOut) }
            try talk.take(.done)
            #expect(talk.request == Array("EnterDFU0".utf8))
            try talk.hear(UpgradeTalk.stayingReply)
            try talk.hear([0x53])
            try talk.take(.done)
        }
        #expect(ends == FBeaconUpgrade.maximumRestarts + 1)
    }

    @Test func `is not done if the end is not acknowledged`() throws {
        var talk = try UpgradeTalk.sending(1000)
        try talk.hear(UpgradeTalk.taken)
        var ends = 0
        while talk.request == [4] {
            ends += 1
            if ends == 3 { try talk.hear(UpgradeTalk.again) } else { try talk.take(.timedOut) }
        }
        #expect(ends == 24 && talk.completion?.isConfirmed == false)
        guard case .perhapsDone(let completion) = talk.dialogue.disconnectMeaning else { throw Failed() }
        #expect(!completion.isConfirmed)
    }

    @Test func `is refused by a device that cancels the end`() throws {
        var talk = try UpgradeTalk.sending(1000)
        try talk.hear(UpgradeTalk.taken)
        try talk.hear(UpgradeTalk.cancel)
        guard case .refused = talk.dialogue.disconnectMeaning else { throw Failed() }
        let failure = #expect(throws: UpdateFailure.self) { try talk.take(.timedOut) }
        #expect(failure?.code.rawValue == "image-refused" && failure?.mayReconnect == false)
    }

    @Test func `finds after a lost end that the new version runs`() throws {
        var talk = try UpgradeTalk.sending(1000)
        try talk.hear(UpgradeTalk.taken)
        #expect(talk.request == [4])
        try talk.begin()
        try talk.enter()
        for _ in 0..<FBeaconUpgrade.pollsInDoubt { try talk.take(.timedOut) }
        try talk.take(.done)
        try talk.hear(Array("OK,48038B021400".utf8))
        try talk.hear(UpgradeTalk.cancel)
        #expect(talk.completion?.isConfirmed == true)
    }

    @Test(arguments: [20, 182, 244, 4000]) func `writes as much as the link takes`(length: Int) throws {
        var talk = try UpgradeTalk.begun(FBeaconUpgrade(UpgradeTalk.container(1500)), writing: length)
        try talk.enter()
        try talk.hear(UpgradeTalk.stayingReply)
        try talk.hear([0x53])
        guard case .stream(let run) = talk.command else { throw Failed() }
        #expect(run.packetLength == length && run.target == .characteristic(requests))
        #expect(run.payload == PayloadSpan(at: 0, of: 1500, header: 3, trailer: 2))
        try talk.answer(UpgradeTalk.taken)
        guard case .stream(let last) = talk.command else { throw Failed() }
        #expect(last.payload == PayloadSpan(at: 1024, of: 1500, header: 3, trailer: 550))
    }

    private struct Failed: Error {}
}
