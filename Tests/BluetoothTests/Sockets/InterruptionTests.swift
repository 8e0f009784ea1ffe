import Testing

@testable import Bluetooth

@Suite struct `A second signal` {
    private static let second: UInt64 = 1_000_000_000

    @Test(arguments: [0, 1, second - 1]) func `within a second is the same stop request as the first`(
        _ age: UInt64
    ) {
        #expect(!Interruption.isFinal(at: 7 + age, first: 7))
    }

    @Test(arguments: [second, second + 1, 3600 * second]) func `a second later kills`(_ age: UInt64) {
        #expect(Interruption.isFinal(at: 7 + age, first: 7))
    }

    @Test func `on another thread that has read the clock before the first does not kill`() {
        #expect(!Interruption.isFinal(at: 6, first: 7))
    }
}
