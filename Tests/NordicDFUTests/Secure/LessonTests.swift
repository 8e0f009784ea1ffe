import Testing
import UpdateCore

@testable import NordicDFU

@Suite struct `A lesson about Secure DFU` {
    private let pace = LearnedPace(
        window: 6, receiptInterval: 3, eraseMicroseconds: 120_000, writeMicroseconds: 1500, payload: 20)

    @Test func `keeps every number of a pace`() {
        #expect(LearnedPace(pace.lesson(about: "x")) == pace)
        let plain = LearnedPace(window: 16, eraseMicroseconds: 1, writeMicroseconds: 2)
        #expect(LearnedPace(plain.lesson(about: "x")) == plain)
    }

    @Test(arguments: ["window", "erase_us", "write_us"]) func `without a number is none`(_ name: String) {
        var values = pace.lesson(about: "x").values
        values[name] = nil
        #expect(LearnedPace(Lesson(bootloader: "x", values: values)) == nil)
    }

    @Test func `counts for the bootloader that it is about, and for no other`() throws {
        for (bootloader, isKnown) in [("init 512, writes 244", true), ("init 256, writes 244", false)] {
            var script = Script(Subject.firmware(8))
            script.procedure.learn(pace.lesson(about: bootloader))
            #expect(try script.begin() == "subscribe")
            script.expect([("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 140 init", "ask 04")])
            #expect((script.procedure.flow.learned.window == 6) == isKnown)
            #expect((script.procedure.flow.payload == 20) == isKnown)
        }
    }

    @Test func `is taught by a device that has taken an object, and not before`() throws {
        var script = Script(Subject.firmware(8))
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 140 init", "ask 04"),
            ("600401", "ask 0602"),
        ])
        #expect(script.procedure.lesson == nil)
        script.expect([("hold 4096 8 image", "ask 04"), ("600401", "complete")])
        #expect(script.procedure.lesson?.bootloader == "init 512, writes 244")
    }
}
