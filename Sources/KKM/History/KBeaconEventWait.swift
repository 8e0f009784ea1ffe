import Bytes
package import UpdateModel

/// Enables the trigger events of a KBeacon, or waits for the next one (kbeacon.md, Events). Ends with nil if it only
/// enabled them, if none arrived in time, and for an empty notification.
package struct KBeaconEventWait: SessionDialogue {
    package typealias Ending = KBeaconEvent?

    private enum State: Equatable {
        case finding
        case subscribing
        case waiting
    }

    private let generation: KBeaconGeneration
    private let limit: Duration?
    private var state: State

    /// Waits `limit` for an event of `peer`; a nil `limit` enables the events instead, which has to happen first.
    package init(for peer: KBeaconQuery.Peer, within limit: Duration?) {
        (generation, self.limit, state) = (peer.identity.generation, limit, .finding)
    }

    package mutating func begin(on link: LinkFacts) -> Step {
        guard let limit else { return Step(.find(KBeaconService.events)) }
        state = .waiting
        return Step(.expect(from: KBeaconService.events, within: limit))
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch (state, outcome) {
        case (.finding, .done):
            state = .subscribing
            return Step(.subscribe(KBeaconService.events))
        case (.finding, _):
            throw SessionFailure(
                .session.notSupported, during: "listening", "the beacon does not report trigger events")
        case (.waiting, .value(let bytes)): return Step(.end(KBeaconEvent(bytes, of: generation)))
        default: return Step(.end(nil))
        }
    }
}

/// An event that a KBeacon reports while its session is open, because a trigger fired (kbeacon.md, Events).
package struct KBeaconEvent: Equatable, Sendable {
    package let bytes: [UInt8]
    package let type: UInt8
    package let name: String?
    /// The kind of click or press of the button; nil for other events, and if it is not reported.
    package let click: String?
    /// The measured values, if they are reported.
    package let reading: KBeaconRecord?

    private static let first: [UInt8: String] = [1: "proximity", 2: "humidity", 3: "button", 4: "motion"]
    private static let firstClicks: [UInt8: String] = [
        2: "long-press", 3: "single-click", 4: "double-click", 5: "triple-click",
    ]
    private static let second: [UInt8: String] = [
        1: "motion", 2: "angle", 3: "long-press", 4: "single-click", 5: "double-click", 6: "triple-click",
        7: "cut-off", 8: "temperature-above", 9: "temperature-below", 10: "humidity-above",
        11: "humidity-below", 12: "humidity-periodically", 13: "pir", 14: "light-above", 15: "light-below",
        20: "periodically", 60: "position",
    ]

    init?(_ bytes: [UInt8], of generation: KBeaconGeneration) {
        guard let first = bytes.first else { return nil }
        self.bytes = bytes
        // The upper two bits of the second generation's byte do not belong to the type.
        type = generation == .first ? first : first & 0x3F
        name = (generation == .first ? Self.first : Self.second)[type]
        click =
            switch generation {
            case .first: type == 3 ? bytes.dropFirst().first.flatMap { Self.firstClicks[$0] } : nil
            case .second: (3...6).contains(type) ? name : nil
            }
        var reader = ByteReader(Array(bytes.dropFirst()))
        let hasReading = generation == .first ? type == 2 : (8...11).contains(type)
        reading = hasReading ? try? KBeaconRecord(parsing: &reader, of: .humidity) : nil
    }
}
