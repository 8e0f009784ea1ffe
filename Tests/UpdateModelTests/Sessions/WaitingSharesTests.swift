import Testing

@testable import UpdateModel

@Suite struct `The waiting time between two requests` {
    /// A request that took `length`, after packets and 80 ms of waiting for the flash; the fastest took 30 ms.
    private func shares(_ length: Duration) -> [SpeedLimit: Duration] {
        var shares = WaitingShares()
        _ = shares.request(took: .milliseconds(30))
        shares.stream(for: .milliseconds(1))
        shares.wait(.milliseconds(80), for: .flash)
        return shares.request(took: length)
    }

    @Test(arguments: [30, 38, 45]) func `counts for the flash if the link was free again within an event`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == .milliseconds(80))
    }

    @Test(arguments: [46, 60, 200]) func `counts for the air if packets were still on their way`(
        _ milliseconds: Int
    ) {
        #expect(shares(.milliseconds(milliseconds))[.flash] == nil)
    }
}
