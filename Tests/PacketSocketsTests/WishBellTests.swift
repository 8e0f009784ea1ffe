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
        waiting.cancel()
        await waiting.value
        wishes.ring()
        await wishes.heard(by: loop)
    }

    /// The bell is waited for, and another who waits for it is cancelled, which wakes both.
    @Test func `is not heard because another one who waits is cancelled`() async throws {
        let (wishes, loop) = (try WishBell(), try EventLoop(.whenIdle))
        defer { loop.stop() }
        let other = Task { await loop.wait(for: .readable, of: wishes.descriptor) }
        async let _ = { other.cancel() }()
        await Self.expectSilence(of: wishes, on: loop)
    }

    private static func expectSilence(of wishes: WishBell, on loop: EventLoop) async {
        let isHeard = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await wishes.heard(by: loop)
                return !Task.isCancelled
            }
            group.addTask {
                try? await loop.sleep(until: loop.now + .seconds(60))
                return false
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        #expect(isHeard == false, "a wish was heard that nobody had")
    }
}
