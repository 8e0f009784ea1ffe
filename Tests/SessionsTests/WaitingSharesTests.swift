import Testing

@testable import Sessions

@Suite struct `What the time between two requests went into` {
    /// A request that took `length`, after packets and 80 ms of waiting for the flash; the quickest took 30 ms.
    private func shares(_ length: Duration) -> [SpeedLimit: Duration] {
        var shares = WaitingShares()
        _ = shares.request(took: .milliseconds(30))
        shares.stream(for: .milliseconds(1))
        shares.wait(.milliseconds(80), for: .flash)
        return shares.request(took: length)
    }

    @Test(arguments: [30, 38, 45]) func `is the flash's where the link was free again, but for an event`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == .milliseconds(80))
    }

    @Test(arguments: [46, 60, 200]) func `is the air's where packets were still on their way`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == nil)
    }
}
