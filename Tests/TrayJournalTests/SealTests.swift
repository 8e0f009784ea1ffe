import Testing
import Tray

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10)))
struct `The newest seal of a key in a journal` {
    private static func seal(_ counter: Int64, _ content: String) -> SeenSeal {
        SeenSeal(counter: counter, content: content, seen: RecordedTime(milliseconds: counter))
    }

    @Test func `is the highest that was noted, and the first of equal ones`() async throws {
        try await Station.with { station in
            let journal = try await station.open()
            #expect(try await journal.newestSeal(of: "k") == nil)
            for seal in [Self.seal(3, "c"), Self.seal(2, "b"), Self.seal(3, "x")] {
                try await journal.note(seal, of: "k")
            }
            #expect(try await journal.newestSeal(of: "k") == Self.seal(3, "c"))
            #expect(try await journal.newestSeal(of: "other") == nil)
            try await journal.note(Self.seal(4, "d"), of: "k")
            #expect(try await station.reading().newestSeal(of: "k") == Self.seal(4, "d"))
        }
    }
}
