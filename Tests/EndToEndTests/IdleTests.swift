import Foundation
import TestSupport
import Testing

/// Measured by a program of its own, for a real second: what other tests do at the same time is on nobody
/// else's bill there.
@Suite(.timeLimit(.minutes(10)), .programs) struct `A connection on which nothing happens` {
    /// What was counted in one run of the program.
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

    /// One sleep is that of whoever waits for the second to pass, and once a second libdispatch looks after its
    /// threads. Anything that looks for news now and then, were it four times a second, is more than this.
    @Test func `costs no processor time`() throws {
        let bill = try bill(milliseconds: 1000)
        #expect(bill.processor < 5000)
        #expect(bill.sleeps <= 3)
    }
}
