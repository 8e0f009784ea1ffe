import Firmware
import Testing

@testable import CommandKit

@Suite struct `A line about an activity` {
    @Test(arguments: [(0.0, "reading"), (0.9, "reading"), (1.0, "reading, 1 s"), (75.5, "reading, 75 s")])
    func `counts seconds from the first on`(_ passed: Double, _ text: String) {
        let line = ActivityLine.text(
            "reading", since: .seconds(10), until: nil, at: .seconds(10) + .seconds(passed))
        #expect(line == text)
    }

    @Test(arguments: [(0.0, "blinks, 3 s left"), (2.5, "blinks, 1 s left"), (3.0, "blinks"), (9.0, "blinks")])
    func `counts down while an end is expected`(_ passed: Double, _ text: String) {
        let line = ActivityLine.text(
            "blinks", since: .seconds(10), until: .seconds(13), at: .seconds(10) + .seconds(passed))
        #expect(line == text)
    }

    @Test(arguments: [
        (false, "listening, 3 s left; nothing heard yet"),
        (true, "listening, at most 3 s left; nothing heard yet"),
    ])
    func `says how long a scan goes on`(_ mayEndEarly: Bool, _ text: String) {
        let status = SearchStatus(console: Console(style: Console.Style()), mayEndEarly: mayEndEarly)
        #expect(status.line(BeaconSightings(), left: .milliseconds(2400)).rendered == text)
    }
}
