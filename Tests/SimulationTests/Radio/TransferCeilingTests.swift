import Bluetooth
import Simulation
import Testing
import TransferBench

/// Figures computed by hand. Before the first Create(data) eight requests are answered (descriptor, notifications, PRN,
/// Select, Create, CRC, Execute, Select), three for each object; an answer and what follows it take two intervals. The
/// init packet of 140 bytes is one packet at 244 bytes per packet, seven at 20.
@Suite struct `The ceiling of a transfer` {
    private func link(_ milliseconds: Double, _ phy: LinkModel.PHY = .le1M) -> LinkModel {
        var link = LinkModel()
        link.phy = phy
        link.interval = .seconds(milliseconds / 1000)
        return link
    }

    private func ceiling(
        _ image: Int, _ payload: Int, _ link: LinkModel, _ timing: FlashTiming
    ) -> TransferCeiling {
        TransferCeiling(
            of: .init(image: image, initPacket: 140, payload: payload), over: link, to: .sdk17_1,
            timing: timing)
    }

    /// The number of intervals, and the remainder: the position of the last answer in its event.
    private func intervals(_ length: Duration, _ link: LinkModel) -> Int { Int(length / link.interval) }

    @Test func `with a flash that takes no time consists of air time and answers`() {
        // 17 packets, three per event: six events, the last of which carries Get CRC too.
        let terms = ceiling(4096, 244, link(15), .instant)
        #expect(terms.requests == 11)
        #expect(terms.air == .milliseconds(15) * 5)
        #expect(terms.flash == .zero)
        // 11 requests, of which the last answer comes one interval after it, plus its position in the event.
        #expect(intervals(terms.answers, link(15)) == 2 * 11 - 1)
        #expect(terms.answers - .milliseconds(15) * 21 < .milliseconds(2))
        // Each further object: 5 intervals of air, 6 of answers.
        let two = ceiling(8192, 244, link(15), .instant)
        #expect(two.total - terms.total == .milliseconds(15) * 11)
    }

    @Test(
        arguments: [
            (15, .le2M, 244, 3 + 6),  // 17 packets, five per event: four events
            (7.5, .le2M, 244, 3 + 6), (50, .le1M, 244, 5 + 6),
            (15, .le1M, 20, 18 + 6),  // 205 packets, eleven per event: 19 events
            (15, .le2M, 20, 13 + 6),  // fifteen per event: 14 events
        ] as [(Double, LinkModel.PHY, Int, Int)])
    func `has a fixed number of intervals per object`(
        _ milliseconds: Double, _ phy: LinkModel.PHY, _ payload: Int, _ wanted: Int
    ) {
        let link = link(milliseconds, phy)
        let one = ceiling(4096, payload, link, .instant).total
        #expect(ceiling(8192, payload, link, .instant).total - one == link.interval * wanted)
        #expect(ceiling(40_960, payload, link, .instant).total - one == link.interval * wanted * 9)
    }

    @Test func `with stock flash is the time of erasing and writing, and of an answer`() {
        // 87 ms and 218 pieces of 1.1 ms are 326.8 ms from Create on; the answer goes out in the 22nd event, and the
        // next Create in the 23rd.
        let link = link(15)
        let many = ceiling(40_960, 244, link, .stock)
        let more = ceiling(81_920, 244, link, .stock)
        #expect(more.total - many.total == link.interval * 23 * 10)
        #expect(more.erasing - many.erasing == .milliseconds(870))
        #expect(more.writing - many.writing == .microseconds(2_398_000))
        #expect(many.bytesPerSecond < 4096 / 0.345)
    }

    @Test func `with small packets includes waits for space after the erase`() {
        // Fifteen packets fit during the erase. Of the others the 16th may arrive at 87 ms; eleven per event.
        let link = link(15)
        let many = ceiling(40_960, 20, link, .stock)
        let object = ceiling(81_920, 20, link, .stock).total - many.total
        // 190 packets need 18 events, the first at 90 ms at the latest; then Get CRC and Execute.
        #expect(object <= link.interval * 10 * (6 + 17 + 4 + 1))
        #expect(object >= link.interval * 10 * (18 + 6))
    }

    @Test func `includes the settings that Execute of an init packet writes`() {
        let link = link(15)
        let terms = ceiling(4096, 244, link, .stock)
        #expect(terms.erasing == .milliseconds(87) * 3)
        #expect(terms.writing == .microseconds(1100) * (90 + 218))
        #expect(terms.total == terms.air + terms.answers + terms.flash)
    }

    @Test func `ignores losses`() {
        var lossy = link(15)
        lossy.loss = 0.3
        #expect(ceiling(4096, 244, lossy, .stock) == ceiling(4096, 244, link(15), .stock))
    }
}
