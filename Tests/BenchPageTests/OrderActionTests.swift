import Bytes
import Testing
import Tray

@testable import BenchPage

@Suite struct `A request about an order` {
    private static let draft: [String: JSONValue] = [
        "number": .text(" WO 17 "), "firmware": .text("catalogue:7"), "expected": .integer(48),
        "golden": .integer(2), "attempts": .integer(1),
    ]

    @Test func `creates a draft, without spaces at the ends of its number`() throws {
        let action = try OrderAction(.create, .object(Self.draft))
        #expect(
            action
                == .create(
                    OrderDraft(
                        number: "WO 17", firmware: "catalogue:7", expected: 48, golden: 2, attempts: 1)))
    }

    @Test(
        arguments: [
            ("number", .text("")), ("number", .text("  ")), ("number", .text("a\nb")), ("number", nil),
            ("number", .text("a\u{202E}b")), ("number", .text(String(repeating: "x", count: 256))),
            ("number", .integer(7)), ("firmware", nil), ("expected", .integer(0)), ("expected", .integer(-1)),
            ("expected", .integer(1 << 31)), ("expected", .text("48")), ("expected", nil),
            ("golden", .integer(49)), ("golden", .integer(-1)), ("golden", nil), ("attempts", .integer(0)),
            ("attempts", nil),
        ] as [(String, JSONValue?)])
    func `is refused as malformed with an unusable member`(_ name: String, _ value: JSONValue?) {
        var body = Self.draft
        body[name] = value
        #expect(throws: PageRefusal.self) { try OrderAction(.create, .object(body)) }
    }

    @Test func `holds with a reason, and releases the hold that was shown`() throws {
        let number = ("number", JSONValue.text("WO-17"))
        func body(_ members: (String, JSONValue)...) -> JSONValue {
            .object(Dictionary([number] + members) { $1 })
        }
        #expect(
            try OrderAction(.hold, body(("reason", .text("wrong labels"))))
                == .hold("WO-17", because: "wrong labels"))
        for reason in [[], [("reason", JSONValue.text(" "))]] {
            #expect(throws: PageRefusal.self) {
                try OrderAction(.hold, .object(Dictionary([number] + reason) { $1 }))
            }
        }
        #expect(try OrderAction(.release, body()) == .release("WO-17", since: nil))
        #expect(
            try OrderAction(.release, body(("since", .integer(7))))
                == .release("WO-17", since: RecordedTime(milliseconds: 7)))
        #expect(throws: PageRefusal.self) { try OrderAction(.release, body(("since", .text("7")))) }
    }

    @Test func `is refused at a bench alone`() async {
        let source = RunSource(id: "here", name: "here")
        await #expect(throws: PageRefusal.self) {
            try await source.perform(.release("WO-17", since: nil), for: PageUser(.approver))
        }
    }
}
