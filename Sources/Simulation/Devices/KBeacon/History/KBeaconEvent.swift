/// An event during a session, which the beacon indicates (kbeacon.md, Other parameters).
public struct KBeaconEvent: Hashable, Sendable {
    /// The type of the trigger; in the first generation 1 motion, 2 button, 4 nearby, 8 humidity.
    public var trigger: Int
    /// The time from the handshake to the event.
    public var delay: Duration
    /// How the button was pressed; the first generation sends it as a second byte.
    public var press = Press.singleClick

    /// The first generation's numbers for presses of the button.
    public enum Press: UInt8, Hashable, Sendable {
        /// It was held.
        case long = 2
        /// It was pressed once.
        case singleClick = 3
        /// Twice.
        case doubleClick = 4
        /// Three times.
        case tripleClick = 5
    }

    /// A trigger that fires `delay` after the handshake.
    public init(trigger: Int, after delay: Duration) {
        self.trigger = trigger
        self.delay = delay
    }

    /// The first byte of the indication; nil if there is no such trigger.
    func kind(_ generation: KBeaconGeneration) -> UInt8? {
        switch generation {
        case .first: [1: 4, 2: 3, 4: 1, 8: 2][trigger]
        case .second: (1...0x3F).contains(trigger) ? UInt8(clamping: trigger) : nil
        }
    }
}

extension KBeaconSettings {
    /// The bit of `trAct` that makes a trigger report its events.
    static let tells = 0x10

    /// Makes the trigger of `event` report.
    mutating func report(_ event: KBeaconEvent, _ description: KBeaconDescription) {
        guard description.has(trigger: event.trigger) else { return }
        if description.generation == .first {
            triggers[event.trigger]?["trAct"] = .number(Self.tells)
        } else if !triggers.values.contains(where: { $0["trType"] == .number(event.trigger) }) {
            let index = triggers.count
            triggers[index] = ["trIdx": index, "trType": event.trigger, "trAct": Self.tells]
                .mapValues(KBeaconValue.number)
        }
    }

    /// Whether a trigger of this type reports its events.
    func tells(_ type: Int) -> Bool {
        triggers.values.contains {
            $0["trType"] == .number(type) && ($0["trAct"]?.number ?? 0) & Self.tells != 0
        }
    }
}
