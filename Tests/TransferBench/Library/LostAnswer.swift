import Simulation

extension TransferBench {
    /// The maximum cost of one lost answer.
    public struct LostAnswer: Sendable {
        /// The undisturbed time and the wait for the answer, by the duration of the transfer.
        public let share: Double
        /// The lost answer: the number of a control point request, from 1 on.
        public let place: Int
        /// Why the image did not arrive.
        public let failure: String?
    }

    /// The worst place at which the answer to one request can be lost: all before the first object, those of the first two
    /// objects and of the last two, and of one between.
    public func worstLostAnswer() async throws -> LostAnswer {
        let plain = try await ours()
        guard let undisturbed = plain.seconds else { throw BenchError.address }
        let objects = (size + 4095) / 4096
        let opening = Self.openingWaits.count
        let objectsTried = Set([1, 2, objects / 2, objects - 1, objects]).sorted()
        let places =
            Array(1...opening)
            + objectsTried.flatMap { number in (1...3).map { opening + (number - 1) * 3 + $0 } }
        var worst = LostAnswer(share: .infinity, place: 0, failure: nil)
        for place in places {
            let result = try await ours(faults: [.nordic(.loseAnswer(place))])
            let share = result.seconds.map { (undisturbed + wait(place, $0 - undisturbed)) / $0 } ?? 0
            if share < worst.share { worst = LostAnswer(share: share, place: place, failure: result.failure) }
        }
        return worst
    }

    /// The timeouts of the requests before the first object, in seconds: receipts, Select, Create, Get CRC, Execute,
    /// Select, and the barrier.
    private static let openingWaits = [3.0, 3, 5, 3, 10, 3, 10]
    /// The same for Get CRC, Create, Execute, and the last Execute.
    private static let waits = [20.0, 10, 5, 3]

    /// The wait for the answer to a request, if the transfer took `longer`.
    private func wait(_ place: Int, _ longer: Double) -> Double {
        guard place > Self.openingWaits.count else { return Self.openingWaits[place - 1] }
        return Self.waits.first { $0 <= longer + 0.5 } ?? 0
    }
}
