import Foundation
import TestSupport
import Testing

/// Measured by a separate program, for one real second, so that other tests do not affect the result.
@Suite(.timeLimit(.minutes(10)), .programs) struct `A connection on which nothing happens` {
    /// The measurements of one run of the program.
    private struct Bill: Decodable {
        /// Processor time, in microseconds.
        let processor: Int
        /// How often a thread went to sleep, which is how often one was awake.
        let sleeps: Int

        enum CodingKeys: String, CodingKey {
            case processor = "processor_us"
            case sleeps
        }
    }

    private func bill(milliseconds: Int) throws -> Bill {
        let run = try Program.run(["\(milliseconds)"], of: "idle-connection")
        #expect(run.status == 0)
        return try JSONDecoder().decode(Bill.self, from: Data(run.output.utf8))
    }

    /// One sleep is the wait for the end of the second, and once a second libdispatch checks its threads. Anything that
    /// polls, even four times a second, exceeds this.
    @Test func `uses no processor time`() throws {
        let bill = try bill(milliseconds: 1000)
        #expect(bill.processor < 5000)
        #expect(bill.sleeps <= 3)
    }
}
