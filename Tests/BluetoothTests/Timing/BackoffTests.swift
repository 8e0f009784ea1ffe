import Bluetooth
import Testing

@Suite struct `A back-off` {
    private let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))

    @Test func `doubles up to its longest pause`() {
        let pauses = [Int.min, 0, 1, 2, 3, 7, 8, .max].map { backoff.pause(after: $0) }
        #expect(pauses == [500, 500, 500, 1000, 2000, 30_000, 30_000, 30_000].map { .milliseconds($0) })
    }

    @Test func `varies by a quarter with chance`() {
        #expect(
            [0, 0.5, 1].map { backoff.pause(after: 2, chance: $0) }
                == [750, 1000, 1250].map { .milliseconds($0) })
    }
}
