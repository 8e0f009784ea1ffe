import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `README and the guides` {
    @Test func `show what the program prints`() throws {
        let run = try Tool.run(["python3", Samples.root + "/scripts/pages", Program.path])
        #expect(run.status == 0, "\(run.text)\(run.talk)")
    }
}
