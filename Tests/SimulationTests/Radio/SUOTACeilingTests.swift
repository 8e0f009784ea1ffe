import Bluetooth
import Simulation
import Testing
import TransferBench

/// Figures computed by hand, for a flash that takes no time by default.
@Suite struct `The ceiling of SUOTA` {
    private func link(_ milliseconds: Double) -> LinkModel {
        var link = LinkModel()
        link.interval = .seconds(milliseconds / 1000)
        return link
    }

    private func ceiling(
        _ code: Int, _ way: SUOTACeiling.Cargo.Way, _ link: LinkModel,
        _ personality: SUOTAPersonality = .da14585, timing: FlashTiming = .instant
    ) throws -> SUOTACeiling {
        var personality = personality
        personality.timing = timing
        return try #require(SUOTACeiling(of: .init(code: code, way: way), over: link, to: personality))
    }

    /// 12 chunks of 20 bytes are two events (eleven per event), the answer comes in the one after, and the next block
    /// goes out in the one after that: three intervals per block.
    @Test(arguments: [7.5, 15, 30]) func `of 20-byte chunks is three intervals per block`(
        milliseconds: Double
    )
        throws
    {
        let link = link(milliseconds)
        let one = try ceiling(2400 - 64, .attributes(block: 240, chunk: 20), link)
        let two = try ceiling(4800 - 64, .attributes(block: 240, chunk: 20), link)
        #expect(two.total - one.total == link.interval * 10 * 3)
        #expect(two.air - one.air == link.interval * 10)
        #expect(two.flash == .zero)
        #expect(two.requests - one.requests == 10)
    }

    /// Two chunks of 244 bytes are one event: two intervals per block.
    @Test(arguments: [7.5, 15, 30]) func `of 244-byte chunks is two intervals per block`(milliseconds: Double)
        throws
    {
        let link = link(milliseconds)
        let one = try ceiling(4880 - 64, .attributes(block: 488, chunk: 244), link)
        let two = try ceiling(9760 - 64, .attributes(block: 488, chunk: 244), link)
        #expect(two.total - one.total == link.interval * 10 * 2)
    }

    @Test func `of the channel is air time alone`() throws {
        let one = try ceiling(10_000, .channel(packet: 245), link(15), .da14683Channel)
        let two = try ceiling(20_000, .channel(packet: 245), link(15), .da14683Channel)
        // Three packets per event.
        let rate = 10_000 / ((two.total - one.total) / .seconds(1))
        #expect((rate / (3 * 245 / 0.015) - 1).magnitude < 0.03)
    }

    /// Meanwhile the buffer accepts the packets of two events, and the event in which erasing ends accepts others.
    @Test(arguments: [(15, 0...0), (90, 45...75), (300, 255...285)])
    func `of the channel includes the part of erasing that exceeds the buffer`(
        milliseconds: Int, added: ClosedRange<Int>
    ) throws {
        let sectors = 5
        let timing = FlashTiming(
            pageErase: .milliseconds(milliseconds), pieceWrite: .zero, pageProgram: .zero)
        let slow = try ceiling(
            sectors * 4096 - 100, .channel(packet: 245), link(15), .da14683Channel, timing: timing)
        #expect(slow.flash >= .milliseconds(added.lowerBound * sectors))
        #expect(slow.flash <= .milliseconds(added.upperBound * sectors))
    }

    @Test func `of the channel is lower with fewer credits`() throws {
        var narrow = SUOTAPersonality.da14683Channel
        narrow.channelCredits = 1
        let way = SUOTACeiling.Cargo.Way.channel(packet: 245)
        let wide = try ceiling(20_000, way, link(15), .da14683Channel, timing: .quad)
        #expect(try ceiling(20_000, way, link(15), narrow, timing: .quad).total > wide.total)
    }

    @Test func `has the flash time as a separate term`() throws {
        let quick = try ceiling(9000, .attributes(block: 240, chunk: 20), link(15))
        let slow = try ceiling(9000, .attributes(block: 240, chunk: 20), link(15), timing: .serial)
        #expect(slow.air == quick.air && slow.answers == quick.answers)
        // Three sectors.
        #expect(slow.flash >= .milliseconds(3 * 270))
        #expect(slow.flash < .milliseconds(3 * 270 + 38 * 20))
        #expect(slow.total == slow.air + slow.answers + slow.flash)
    }

    /// A stream is written whenever its buffer is full, in the middle of a block too; later packets wait.
    @Test(arguments: [20, 60, 120, 244]) func `has all of the erasing, however small the chunks`(chunk: Int)
        throws
    {
        let erase = FlashTiming(pageErase: .seconds(1), pieceWrite: .zero, pageProgram: .zero)
        let way = SUOTACeiling.Cargo.Way.attributes(block: 960, chunk: chunk)
        let slow = try ceiling(9000, way, link(15), .da14683, timing: erase)
        #expect(slow.flash > .milliseconds(3 * 950))
    }

    @Test func `is absent for what the receiver does not accept`() {
        let none = [
            SUOTACeiling(
                of: .init(code: 9000, way: .attributes(block: 513, chunk: 20)), over: LinkModel(),
                to: .da14585),
            SUOTACeiling(
                of: .init(code: 200_000, way: .attributes(block: 240, chunk: 20)), over: LinkModel(),
                to: .da14585),
            SUOTACeiling(of: .init(code: 9000, way: .channel(packet: 245)), over: LinkModel(), to: .da14683),
            SUOTACeiling(
                of: .init(code: 9000, way: .attributes(block: 0, chunk: 0)), over: LinkModel(), to: .da14585),
        ]
        #expect(none.allSatisfy { $0 == nil })
    }

    @Test(arguments: [SUOTAPersonality.da14585, .da14683Channel, .da14695])
    func `ignores losses`(personality: SUOTAPersonality) throws {
        var lossy = link(15)
        lossy.loss = 0.3
        let way = SUOTACeiling.Cargo.Way.attributes(block: 240, chunk: 20)
        let one = try ceiling(3000, way, lossy, personality)
        #expect(try one == ceiling(3000, way, link(15), personality))
    }

    /// A sender that waits only for answers reaches it on the same model.
    @Test(arguments: [(20, 240), (244, 488)]) func `is reached by a sender that waits only for answers`(
        chunk: Int, block: Int
    ) async throws {
        let wanted = try ceiling(20_000, .attributes(block: block, chunk: chunk), link(15), timing: .serial)
        let took = try await SUOTAAir.run(link: link(15)) { air in
            try await air.talk { talk in
                // Whatever the discovery before the first write takes.
                _ = try await talk.ask([0, 0, 0, 0xFF])
                let start = air.time.now
                #expect(try await talk.update(air.file(20_000), block: block, chunk: chunk) == 0x02)
                return air.time.now - start
            }
        }
        #expect(took >= wanted.total)
        #expect(wanted.total / took > 0.95)
    }
}
