import Testing

@testable import PacketSockets

@Suite(.timeLimit(.minutes(1))) struct `A wish to end the program` {
    @Test func `is heard and stays until it is taken`() async throws {
        let (wishes, loop) = (try WishBell(), try EventLoop(.whenIdle))
        defer { loop.stop() }
        wishes.ring()
        await wishes.heard(by: loop)
        await wishes.heard(by: loop)
        wishes.take()
        await Self.expectSilence(of: wishes, on: loop)
    }

    @Test func `is left to others by who is cancelled`() async throws {
        let (wishes, loop) = (try WishBell(), try EventLoop(.whenIdle))
        defer { loop.stop() }
        let waiting = Task { await wishes.heard(by: loop) }
        wishes.ring()
        waiting.cancel()
        await waiting.value
        await wishes.heard(by: loop)
    }

    @Test func `is not heard because another one who waits is cancelled`() async throws {
        let (wishes, loop) = (try WishBell(), try EventLoop(.whenIdle))
        defer { loop.stop() }
        let other = Task(executorPreference: loop) {
            await loop.wait(for: .readable, of: wishes.descriptor)
        }
        await Self.expectSilence(of: wishes, on: loop) { other.cancel() }
    }

    /// Time passes only when all that is to be done on the loop is done: then `deed`, and as long again.
    private static func expectSilence(
        of wishes: WishBell, on loop: EventLoop, despite deed: @escaping @Sendable () -> Void = {}
    ) async {
        let isHeard = await withTaskExecutorPreference(loop) {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await wishes.heard(by: loop)
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
        #expect(isHeard == false, "a wish was heard that nobody had")
    }
}
