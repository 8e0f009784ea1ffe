import Firmware
import Testing

@testable import CommandKit
@testable import FileCommands
@testable import RadioCommands

@Suite struct `Keys at the table of a watch` {
    /// Whether one of them has ended the watch.
    private static func press(_ pressed: [TerminalKey], _ keys: inout WatchKeys) -> Bool {
        var ends = false
        for key in pressed { ends = keys.press(key) || ends }
        return ends
    }

    private static func pressed(_ text: String, _ keys: inout WatchKeys) -> Bool {
        press(text.map { $0 == "\n" ? .enter : .character($0) }, &keys)
    }

    @Test func `end it with q, and cycle through all orders with s`() {
        var keys = WatchKeys(order: .rssi)
        var orders: [SightingOrder] = []
        for _ in SightingOrder.allCases {
            let isOver = Self.press([.character("s")], &keys)
            #expect(!isOver)
            orders.append(keys.order)
        }
        #expect(Set(orders) == Set(SightingOrder.allCases) && orders.last == .rssi)
        let isOver = Self.press([.character("q")], &keys)
        #expect(isOver)
    }

    @Test(arguments: ["/", "f"])
    func `filter by words, in which q and s are letters`(_ opening: String) throws {
        let beacons = [
            try sighting("080953717569642031", from: "F0:00:00:00:00:01"),  // Squid 1
            try sighting("06095461672032", from: "F0:00:00:00:00:02"),  // Tag 2
        ]
        var keys = WatchKeys(order: .name)
        var isOver = Self.pressed("\(opening)sq", &keys)
        #expect(!isOver)
        #expect(beacons.map(keys.passes) == [true, false] && keys.order == .name)
        #expect(keys.help.contains("filter: sq_"))
        isOver = Self.pressed("uid f0:00\n", &keys)
        #expect(!isOver)
        #expect(beacons.map(keys.passes) == [true, false] && !keys.isTyping)
        isOver = Self.press([.escape], &keys)
        #expect(!isOver)
        #expect(beacons.map(keys.passes) == [true, true])
        isOver = Self.pressed("q", &keys)
        #expect(isOver)
    }

    @Test func `stop the table with the space bar, and let it go on`() {
        var keys = WatchKeys(order: .rssi)
        _ = Self.pressed(" ", &keys)
        #expect(keys.isPaused && keys.help.hasPrefix("paused"))
        _ = Self.pressed("f a", &keys)
        #expect(keys.isPaused && keys.filter == " a")
        _ = Self.pressed("\n ", &keys)
        #expect(!keys.isPaused)
    }

    @Test func `are listed after ?, until any key but q`() {
        var keys = WatchKeys(order: .rssi)
        _ = Self.pressed("?", &keys)
        #expect(keys.isListing)
        _ = Self.pressed("s", &keys)
        #expect(!keys.isListing && keys.order == .rssi)
        let isOver = Self.pressed("?q", &keys)
        #expect(isOver)
        #expect(WatchKeys.list.allSatisfy { $0.count <= 78 })
        #expect(keys.help.hasSuffix("? lists keys") && keys.help.count < 80)
    }

    @Test func `restore the table after a cancelled filter`() {
        var keys = WatchKeys(order: .rssi)
        _ = Self.pressed("/ab", &keys)
        var isOver = Self.press(Array(repeating: .backspace, count: 5), &keys)
        #expect(!isOver)
        #expect(keys.filter.isEmpty && keys.isTyping)
        _ = Self.pressed("c", &keys)
        isOver = Self.press([.escape], &keys)
        #expect(!isOver)
        #expect(keys.filter.isEmpty && !keys.isTyping)
    }
}
