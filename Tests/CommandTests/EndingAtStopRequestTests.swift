import Bluetooth
import CommandKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A step that a stop request ends` {
    private struct Broken: Error {}

    @Test func `is cancelled by a stop request, which is consumed`() async throws {
        let stopRequests = try StopRequests()
        stopRequests.add()
        await #expect(throws: CancellationError.self) {
            try await cancellingAtStopRequest(stopRequests) { try await Self.cancellation() }
        }
        #expect(try await cancellingAtStopRequest(stopRequests) { 7 } == 7)
    }

    /// As between the scan for the tray and its run: the step has ended when the signal comes, and the next one does
    /// not wait for it yet.
    @Test(arguments: [false, true]) func `leaves a stop request of its last moment to the next step`(
        _ fails: Bool
    )
        async throws
    {
        for _ in 0..<50 {
            let stopRequests = try StopRequests()
            let first = await Task {
                try await cancellingAtStopRequest(stopRequests) {
                    stopRequests.add()
                    if fails { throw Broken() }
                    return 7
                }
            }.result
            // Whichever was first: the request counts once, and is never lost.
            if case .failure(let error) = first, error is CancellationError { continue }
            await #expect(throws: CancellationError.self) {
                try await cancellingAtStopRequest(stopRequests) { try await Self.cancellation() }
            }
        }
    }

    /// Waits until it is cancelled.
    private static func cancellation() async throws {
        let loop = try EventLoop.shared.get()
        try await loop.sleep(until: loop.now + .seconds(3600))
    }
}
