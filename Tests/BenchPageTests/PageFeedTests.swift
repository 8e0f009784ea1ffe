import Bytes
import Testing
import Tray

@testable import BenchPage

@Suite struct `A feed of the page` {
    private func state(_ share: Double, units: Int = 3) -> BenchState {
        var bench = Bench(id: "one", name: "one")
        bench.units = (0..<units).map { PageUnit(slot: "\($0)") }
        bench.units[0].share = share
        return BenchState(benches: [bench])
    }

    @Test func `refuses a value with too many levels to read in time`() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + "\"]]\\\"[[\"" + String(repeating: "]", count: levels)
        }
        #expect(JSONValue(request: Array(nested(8).utf8)) != nil)
        #expect(JSONValue(request: Array(nested(9).utf8)) == nil)
        // The first character has the bytes 00 22, which a UTF-8 reader takes for a quotation mark.
        let wide = "[\"\u{2200}\"," + nested(9) + "]"
        #expect(
            JSONValue(request: wide.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }) == nil)
        #expect(
            JSONValue(request: Array(##"{"a":{"b":[1,{"c":[]}]}}"##.utf8))?["a"]?["b"]?.list?.count == 2)
    }

    @Test func `refuses a value with a member twice`() {
        #expect(JSONValue(request: Array(#"{"token":"a","token":"b"}"#.utf8)) == nil)
    }

    private func value(_ event: StreamEvent) throws -> JSONValue {
        try #require(JSONValue(request: Array(event.data.utf8)))
    }

    @Test func `begins with the whole state`() throws {
        var feed = PageFeed(state(0), epoch: "e")
        let events = feed.answer(after: nil)
        #expect(events.map(\.name) == ["snapshot"])
        #expect(try value(events[0]) == state(0).json)
        #expect(feed.answer(after: feed.position).isEmpty)
    }

    @Test func `sends only what has changed`() throws {
        var feed = PageFeed(state(0), epoch: "e")
        feed.offer(state(0.5))
        let published = feed.publish(at: .zero)
        #expect(published)
        let patch = try value(feed.answer(after: StreamPosition(epoch: "e", number: 0))[0])
        #expect(patch["benches"]?["b:one"]?["units"]?["u:0"] == .object(["percent": .integer(50)]))
        #expect(patch["benches"]?["b:one"]?["units"]?["u:1"] == nil)
    }

    @Test func `has patches that lead from each state to the next`() throws {
        var feed = PageFeed(state(0), epoch: "e")
        var shown = state(0).json
        var next = StreamPosition(epoch: "e", number: 0)
        for turn in 1...40 {
            feed.offer(state(Double(turn) / 40, units: 1 + turn % 5))
            _ = feed.publish(at: .milliseconds(250 * turn))
            for event in feed.answer(after: next) {
                shown = event.name == "patch" ? shown.patched(by: try value(event)) : try value(event)
                next = event.position
            }
            #expect(shown == state(Double(turn) / 40, units: 1 + turn % 5).json)
        }
    }

    @Test func `lists the requests that a bench accepts`() {
        var bench = Bench(id: "one", name: "one")
        #expect(BenchState(benches: [bench]).json["benches"]?["b:one"]?["actions"]?.list == [])
        bench.actions = [.stop, .release]
        #expect(
            BenchState(benches: [bench]).json["benches"]?["b:one"]?["actions"]?.list
                == [.text("release"), .text("end")])
    }

    @Test func `has at most four patches a second`() {
        var feed = PageFeed(state(0), epoch: "e")
        var patches = 0
        for millisecond in 1...2000 {
            feed.offer(state(Double(millisecond) / 2000))
            let moment = Duration.milliseconds(millisecond)
            if let due = feed.due(at: moment), due <= moment, feed.publish(at: moment) { patches += 1 }
        }
        #expect(patches == 8)
    }

    @Test func `sends a returning reader what it missed, in order`() {
        var feed = PageFeed(state(0, units: 50), epoch: "e")
        for turn in 1...10 {
            feed.offer(state(Double(turn) / 100, units: 50))
            _ = feed.publish(at: .seconds(turn))
        }
        let missed = feed.answer(after: StreamPosition("e.7"))
        #expect(missed.map(\.name) == ["patch", "patch", "patch"])
        #expect(missed.map(\.position.number) == [8, 9, 10])
    }

    @Test func `sends the whole state to new readers and to those beyond its memory`() {
        var feed = PageFeed(state(0), epoch: "e")
        for turn in 1...1100 {
            feed.offer(state(Double(turn % 90) / 100))
            _ = feed.publish(at: .seconds(turn))
        }
        for position in ["e.1", "other.1099", "e.9999", "e", "", "e.-3", "e.x"] {
            let answer = feed.answer(after: StreamPosition(position))
            #expect(answer.map(\.name) == ["snapshot"], "after '\(position)'")
            #expect(answer.first?.position == feed.position)
        }
    }

    @Test func `sends a slow reader one state, not everything it missed`() {
        var feed = PageFeed(state(0), epoch: "e")
        for turn in 1...500 {
            feed.offer(state(Double(turn % 90) / 100))
            _ = feed.publish(at: .seconds(turn))
        }
        let answer = feed.answer(after: StreamPosition("e.1"))
        #expect(answer.map(\.name) == ["snapshot"])
    }

    @Test func `keeps an event on one line, whatever a name contains`() {
        var bench = Bench(id: "one", name: "one\r\nevent: snapshot\r\ndata: {}\n\n\u{2028}\u{85}")
        bench.units = [PageUnit(slot: "__proto__")]
        var feed = PageFeed(BenchState(benches: [bench]), epoch: "e")
        let text = feed.snapshot().text
        #expect(text.split(omittingEmptySubsequences: false) { $0.isNewline }.count == 5)
        #expect(text.hasSuffix("\n\n"))
    }
}

extension JSONValue {
    /// This value with `patch` applied.
    fileprivate func patched(by patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSONValue] = [:]
        if case .object(let old) = self { members = old }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).patched(by: change)
        }
        return .object(members)
    }
}
