import SimulatedRadio
import Testing

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
        arguments: [(.le1M, 251, 244, 98.9), (.le2M, 251, 244, 175.3), (.le1M, 27, 20, 29.6)]
            as [(LinkModel.PHY, Int, Int, Double)])
    func `carries what the specification's arithmetic says`(
        _ phy: LinkModel.PHY, _ dataLength: Int, _ count: Int, _ kilobytes: Double
    ) {
        let speed = endless(phy, dataLength).bytesPerSecond(writing: count) / 1000
        #expect((speed * 10).rounded() / 10 == kilobytes)
    }

    @Test func `fits three large packets into half of 15 ms`() {
        #expect(LinkModel().bytesPerSecond(writing: 244) == 48_800)
    }
}
