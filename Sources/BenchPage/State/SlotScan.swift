import Bytes
import FoundationEssentials
import Tray

/// A tray whose slots are filled by scanning labels, before its run begins. The run reports it, as the event `slots`.
package struct SlotScan: Hashable, Codable, Sendable {
    package struct Slot: Hashable, Codable, Sendable {
        package var slot: String
        /// The beacon in words; nil while the slot is open.
        package var beacon: String?
        /// Whether the slot stays empty.
        package var isSkipped: Bool

        package init(_ slot: String, beacon: String?, isSkipped: Bool = false) {
            (self.slot, self.beacon, self.isSkipped) = (slot, beacon, isSkipped)
        }
    }

    package var slots: [Slot]
    /// The slot that the next label is for.
    package var next: String
    /// What to do now.
    package var prompt: String
    /// Whether the prompt asks if a label that was refused is to be accepted.
    package var asks: Bool
    /// The latest messages, the latest last.
    package var said: [String]

    package init(_ slots: [Slot], next: String, prompt: String, asks: Bool, said: [String]) {
        (self.slots, self.next, self.prompt, self.asks, self.said) = (slots, next, prompt, asks, said)
    }

    static let event = "slots"

    /// The scan in `line`, an event `slots` as JSON; nil if it has none.
    init?(line: some Sequence<UInt8>) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let scan = try? decoder.decode(SlotScan.self, from: Data(line)) else { return nil }
        self = scan
    }

    /// The scan for the page, without the slots, which the page gets as units.
    var json: JSONValue {
        .members([
            "next": .text(next), "prompt": .text(prompt), "asks": .bool(asks),
            "said": .list(said.map(JSONValue.text)),
            "open": .integer(slots.count { $0.beacon == nil && !$0.isSkipped }),
        ])
    }

    /// The slots as units without a run.
    var units: [PageUnit] {
        slots.map { slot in
            var unit = PageUnit(slot: slot.slot)
            unit.name = slot.beacon
            unit.status = slot.isSkipped ? .skipped : .waiting
            return unit
        }
    }
}
