import Simulation
import Testing
import TransferBench

@Suite(.timeLimit(.minutes(10))) struct `An update of a KBeacon` {
    @Test(arguments: [1, 2], [7.5, 15, 50])
    func `takes no longer than the same without a session, and two sessions`(
        generation: Int, milliseconds: Double
    )
        async throws
    {
        var transfer = try #require(KBeaconTransfer(generation))
        transfer.transfer.size = 30_000
        transfer.transfer.link.interval = .seconds(milliseconds / 1000)
        let result = try await transfer.compared()
        let (plain, spoken) = (try #require(result.plain), try #require(result.spoken))
        // Three round trips more or less depend on the phase of the connection events.
        #expect(spoken <= plain + 2 * result.session + 8 * milliseconds / 1000, "\(result)")
        #expect(result.transfers.count == 2 && abs(result.transfers[0] - result.transfers[1]) < 0.05)
    }
}
