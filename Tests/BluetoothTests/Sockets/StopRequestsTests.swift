import Testing

@testable import Bluetooth

@Suite(.timeLimit(.minutes(1))) struct `A stop request for the program` {
    @Test func `is received and stays until it is taken`() async throws {
        let (stopRequests, loop) = (try StopRequests(), try EventLoop(.virtual))
        defer { loop.stop() }
        stopRequests.add()
        await stopRequests.wait(by: loop)
        await stopRequests.wait(by: loop)
        stopRequests.remove()
        await Self.expectSilence(of: stopRequests, on: loop)
    }

    @Test func `is left for others when a waiter is cancelled`() async throws {
        let (stopRequests, loop) = (try StopRequests(), try EventLoop(.virtual))
        defer { loop.stop() }
        let waiting = Task { await stopRequests.wait(by: loop) }
        stopRequests.add()
        waiting.cancel()
        await waiting.value
        await stopRequests.wait(by: loop)
    }

    @Test func `is not raised because another waiter is cancelled`() async throws {
        let (stopRequests, loop) = (try StopRequests(), try EventLoop(.virtual))
        defer { loop.stop() }
        let other = Task(executorPreference: loop) {
            await loop.wait(for: .readable, of: stopRequests.descriptor)
        }
        await Self.expectSilence(of: stopRequests, on: loop) { other.cancel() }
    }

    /// Time passes only when all work on the loop is done: then `deed` runs, and the same time passes again.
    private static func expectSilence(
        of stopRequests: StopRequests, on loop: EventLoop, despite deed: @escaping @Sendable () -> Void = {}
    ) async {
        let isHeard = await withTaskExecutorPreference(loop) {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await stopRequests.wait(by: loop)
                    return true
                }
                group.addTask {
                    try? await loop.sleep(until: loop.now + .seconds(60))
                    deed()
                    try? await loop.sleep(until: loop.now + .seconds(60))
                    return false
                }
                defer { group.cancelAll() }
                return await group.next()
            }
        }
        #expect(isHeard == false, "a stop request was received that was never made")
    }
}

@Suite struct `A second signal` {
    private static let second: UInt64 = 1_000_000_000

    @Test(arguments: [0, 1, second - 1]) func `within a second is the same stop request as the first`(
        _ age: UInt64
    ) {
        #expect(!StopSignals.isNewRequest(at: 7 + age, after: 7))
    }

    @Test(arguments: [second, second + 1, 3600 * second]) func `a second later kills`(_ age: UInt64) {
        #expect(StopSignals.isNewRequest(at: 7 + age, after: 7))
    }

    @Test func `on another thread that has read the clock before the first does not kill`() {
        #expect(!StopSignals.isNewRequest(at: 6, after: 7))
    }
}
