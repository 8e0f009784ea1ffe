import Bluetooth
import Testing

@testable import Simulation

@Suite struct `A link model` {
    private func endless(_ phy: LinkModel.PHY, _ dataLength: Int) -> LinkModel {
        var model = LinkModel()
        model.phy = phy
        model.dataLength = dataLength
        model.interval = .seconds(1000)
        model.eventLength = .seconds(1000)
        return model
    }

    @Test(
        arguments: [
            (.le1M, 251, 244, 98.9), (.le2M, 251, 244, 175.3), (.le1M, 27, 20, 29.6), (.le2M, 27, 20, 40.3),
            (.le1M, 27, 244, 36.9), (.le2M, 27, 244, 50.0), (.leCoded, 251, 244, 13.7),
            (.leCoded, 27, 20, 5.8),
        ]
            as [(LinkModel.PHY, Int, Int, Double)])
    func `has the capacity that follows from the specification`(
        _ phy: LinkModel.PHY, _ dataLength: Int, _ count: Int, _ kilobytes: Double
    ) {
        let speed = endless(phy, dataLength).bytesPerSecond(writing: count) / 1000
        #expect((speed * 10).rounded() / 10 == kilobytes)
    }

    @Test func `fits three large packets into half of 15 ms`() {
        #expect(LinkModel().bytesPerSecond(writing: 244) == 48_800)
    }

    /// Three large packets per event on LE 1M, five on LE 2M, eleven small ones on LE 1M.
    @Test(
        arguments: [(.le1M, 251, 244, 48.8), (.le2M, 251, 244, 81.3), (.le1M, 27, 20, 14.7)]
            as [(LinkModel.PHY, Int, Int, Double)])
    func `carries half of that in half of the time, less what does not fit`(
        _ phy: LinkModel.PHY, _ dataLength: Int, _ count: Int, _ kilobytes: Double
    ) {
        var model = LinkModel()
        model.phy = phy
        model.dataLength = dataLength
        let speed = model.bytesPerSecond(writing: count) / 1000
        #expect((speed * 10).rounded() / 10 == kilobytes)
        model.interval = .microseconds(7500)
        let doubled = model.bytesPerSecond(writing: count) / 1000
        #expect(abs(doubled - speed * 2) < 0.01)
    }

    /// 90 octets take 7.5 ms with the empty packet that answers, so a packet of 244 bytes takes three events.
    @Test func `has packets on LE Coded that fit its events`() {
        var model = LinkModel()
        model.phy = .leCoded
        #expect(model.packetOctets == 90)
        #expect(model.exchange(packet: 90 - 4) == model.eventLength)
        #expect(abs(model.bytesPerSecond(writing: 244) - 5422) < 20)
        model.eventLength = .milliseconds(2)
        #expect(model.packetOctets == 27)
    }

    @Test func `adds four octets to every encrypted data packet, and none to empty ones`() {
        var model = LinkModel()
        #expect(model.exchange(packet: 247) == .microseconds(2468))
        model.isEncrypted = true
        #expect(model.exchange(packet: 247) == .microseconds(2468 + 32))
        model.dataLength = 27
        #expect(model.exchange(packet: 247) == .microseconds(6608 + 10 * 32))
        model.phy = .le2M
        #expect(model.exchange(packet: 247) == .microseconds(4884 + 10 * 16))
    }
}
