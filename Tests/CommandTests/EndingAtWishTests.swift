import BeaconCommands
import PacketSockets
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A step that a wish ends` {
    private struct Broken: Error {}

    @Test func `is cancelled by a wish, which is taken with that`() async throws {
        let wishes = try StopRequests()
        wishes.ring()
        await #expect(throws: CancellationError.self) {
            try await endingAtRequest(wishes) { try await Self.cancellation() }
        }
        #expect(try await endingAtRequest(wishes) { 7 } == 7)
    }

    /// As between the look for the tray and its run: the step has ended when the signal comes, and nobody waits yet for the next.
    @Test(arguments: [false, true]) func `leaves a wish of its last moment to the next`(_ fails: Bool)
        async throws
    {
        for _ in 0..<50 {
            let wishes = try StopRequests()
            let first = await Task {
                try await endingAtRequest(wishes) {
                    wishes.ring()
                    if fails { throw Broken() }
                    return 7
                }
            }.result
            // Whichever was first: it is heeded once, and never lost.
            if case .failure(let error) = first, error is CancellationError { continue }
            await #expect(throws: CancellationError.self) {
                try await endingAtRequest(wishes) { try await Self.cancellation() }
            }
        }
    }

    /// Waits until it is cancelled.
    private static func cancellation() async throws {
        let loop = try EventLoop.shared.get()
        try await loop.sleep(until: loop.now + .seconds(3600))
    }
}
