import Testing
import UpdateModel

@testable import RadioCommands

@Suite struct `A hint on speed` {
    private static func link(_ mtu: Int, _ milliseconds: Int?, _ phy: String?) -> LinkDescription {
        LinkDescription(mtu: mtu, interval: milliseconds.map { .milliseconds($0) }, phy: phy)
    }

    @Test(
        arguments: [
            (.air, link(247, 50, "1M"), "interval is 50.0 ms"),
            (.answers, link(247, 30, "2M"), "interval is 30.0 ms"),
            (.air, link(23, 15, "1M"), "MTU is 23"), (.air, link(247, 15, "1M"), "LE 2M"),
            (.flash, link(23, 50, "1M"), "answers show that its flash"),
        ] as [(SpeedLimit, LinkDescription, String)])
    func `names the one thing that would help`(
        _ limit: SpeedLimit, _ link: LinkDescription, _ words: String
    ) throws {
        #expect(try #require(SpeedHint.text(for: limit, over: link)).contains(words))
    }

    @Test(
        arguments: [
            (.air, link(247, 15, "2M")), (.answers, link(247, 15, "1M")), (.air, link(247, nil, nil)),
        ] as [(SpeedLimit, LinkDescription)])
    func `is absent if nothing is known to help`(_ limit: SpeedLimit, _ link: LinkDescription) {
        #expect(SpeedHint.text(for: limit, over: link) == nil)
        #expect(SpeedHint.text(for: limit, over: nil) == nil)
    }

    /// After a repetition a sender slows down, so its waiting times need not come from the flash.
    @Test func `does not blame the flash if something was repeated`() throws {
        for limit in [SpeedLimit.flash, .retries] {
            let text = try #require(
                SpeedHint.text(for: limit, over: Self.link(247, 15, "1M"), retries: 1, repeatedBytes: 1))
            #expect(text.contains("closer") && !text.contains("flash"))
        }
    }

    @Test func `does not say that parts were sent again if only a request or a link was repeated`() {
        for limit in [SpeedLimit.flash, .retries] {
            #expect(SpeedHint.text(for: limit, over: Self.link(247, 15, "1M"), retries: 1) == nil)
        }
    }
}
