import Bytes

/// Indications of FEA3, one at a time (kbeacon.md, Other parameters).
extension KBeaconSession {
    /// Reports due events; `isSubscribed` is whether the client wants indications.
    mutating func announce(isSubscribed: Bool, at now: Duration) -> [BeaconReaction] {
        if let due = link.floodDue, due <= now { return continueAnswer(at: now) }
        guard !link.isIndicating, let (due, event) = link.events.first, due <= now else { return [] }
        link.events.removeFirst()
        guard isSubscribed, isAuthenticated, !link.isSilent, memory.settings.reports(event.trigger),
            let kind = event.kind(description.generation)
        else { return [] }
        link.isIndicating = true
        let details: [UInt8] =
            switch (description.generation, kind) {
            // 60.5 °C and 81 %.
            case (.first, 2): seconds(at: now).bytes(.big) + [0x3C, 0x80, 0x51, 0x00]
            case (.first, 3): [event.press.rawValue]
            default: []
            }
        return [.notify([kind] + details, from: AttributeTable.kbeaconEvents, mayIndicate: true, at: now)]
    }

    /// Processes a confirmation from the client; returns whether it confirms an indication of FEA3.
    mutating func confirmed() -> Bool {
        defer { link.isIndicating = false }
        return link.isIndicating
    }
}

/// Binary commands for sensor records (kbeacon.md, Other parameters).
///
///     01 kind                                   summary
///     02 kind position[4] count[2] order [18]   records; in the second generation with a tenth byte
///     03 kind                                   clear the records
extension KBeaconSession {
    /// Carries out a binary command; returns the frames of the response, none for only an acknowledgement.
    mutating func history(_ command: [UInt8], at now: Duration) throws(KBeaconCause) -> [[UInt8]] {
        guard let opcode = command.first, (1...3).contains(opcode) else { throw .messageUnknown }
        guard command.count > 1 else { throw .parameterMissing }
        guard let kind = KBeaconHistory.Kind(rawValue: command[1]),
            var history = description.history.first(where: { $0.kind == kind })
        else { throw .sensorMissing }
        if memory.cleared.contains(kind.rawValue) { history.count = 0 }
        switch opcode {
        case 1: return [summary(of: history, at: now)]
        case 2: return try records(of: history, Array(command.dropFirst(2)))
        default:
            memory.cleared.insert(kind.rawValue)
            memory.fetched[kind.rawValue] = nil
            return []
        }
    }

    private func fetched(of history: KBeaconHistory) -> Int {
        max(0, min(Int(history.count), memory.fetched[history.kind.rawValue] ?? 0))
    }

    private func summary(of history: KBeaconHistory, at now: Duration) -> [UInt8] {
        let counts = [Int(history.count), Int(history.count) - fetched(of: history)].flatMap {
            description.generation == .first
                ? UInt16(clamping: $0).bytes(.big) : UInt32(clamping: $0).bytes(.big)
        }
        return [0x01, history.kind.rawValue] + counts + seconds(at: now).bytes(.big)
    }

    private mutating func records(
        of history: KBeaconHistory, _ rest: [UInt8]
    ) throws(KBeaconCause) -> [[UInt8]] {
        let length = description.generation == .first ? 7 : 8
        guard rest.count == length else { throw .parameterInvalid }
        func number(_ range: Range<Int>) -> UInt32 { rest[range].reduce(0) { $0 << 8 | UInt32($1) } }
        let (position, order) = (number(0..<4), rest[6])
        guard order <= 2 else { throw .parameterInvalid }
        let isNewestFirst = order == 1
        let total = Int(history.count)
        let isUnknown = position == .max
        let first = order == 2 ? fetched(of: history) : isNewestFirst ? total - 1 : 0
        let start = isUnknown || order == 2 ? first : Int(position)
        let most = max(0, min(Int(number(4..<6)), history.mostAtOnce))
        let places =
            isNewestFirst
            ? Array(stride(from: start, to: -1, by: -1).prefix(most)) : Array((start...).prefix(most))
        let found = places.filter { (0..<total).contains($0) }
        if order == 2 { memory.fetched[history.kind.rawValue] = start + found.count }
        let isInFrames = description.generation == .second && description.answers.records == .frames
        let size = isInFrames ? max(1, description.answers.recordsInFrame) : max(1, found.count)
        return stride(from: 0, to: max(1, found.count), by: size).map { start in
            let places = found.dropFirst(start).prefix(size)
            let next = places.last.map { isNewestFirst ? $0 - 1 : $0 + 1 }
            let following = next.flatMap { (0..<total).contains($0) ? UInt32($0) : nil } ?? UInt32.max
            let page =
                [history.kind.rawValue] + following.bytes(.big)
                + places.flatMap { history.record($0, description.seed) }
            return [0x02] + UInt16(clamping: page.count).bytes(.big) + page
        }
    }
}

/// Invented records of a sensor (kbeacon.md, Other parameters).
package struct KBeaconHistory: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Temperature and humidity, each in 8.8 fixed point.
        case humidity = 2
        case alarm = 8
        case motion = 0x10
        /// Light: a type, an unused byte, and lux.
        case light = 0x20
        case voc = 0x40
        /// CO2 in ppm; then temperature and humidity.
        case carbonDioxide = 0x41
    }

    package var kind: Kind
    package var count: UInt16
    /// The time of the first record, in Unix seconds; a value below 946080000 is in seconds of the beacon's clock.
    package var start: UInt32
    /// The time between two records, in seconds.
    package var interval: UInt32 = 600
    package var mostAtOnce = 10

    package init(_ kind: Kind, count: UInt16, since start: UInt32 = 1_700_000_000) {
        (self.kind, self.count, self.start) = (kind, count, start)
    }

    func record(_ index: Int, _ seed: UInt64) -> [UInt8] {
        let time = (start &+ interval &* UInt32(truncatingIfNeeded: index)).bytes(.big)
        let step = UInt16(truncatingIfNeeded: UInt64(truncatingIfNeeded: index) &+ seed)
        // 20 to 22 °C, in every tenth record below 0 °C; humidity of 40 to 56 %.
        let degrees: UInt16 = step % 10 == 9 ? 0xFB80 : 0x1400 &+ (step % 32) << 4
        let climate = degrees.bytes(.big) + (0x2800 &+ (step % 64) << 6).bytes(.big)
        return switch kind {
        case .humidity: time + climate
        case .alarm, .motion: time + [UInt8(step & 1)]
        // Up to 60 000 lux; the unused byte is not always 0.
        case .light: time + [UInt8(step & 1), UInt8(step % 3)] + (60_000 &- step % 1000 &* 50).bytes(.big)
        case .voc: time + (100 &+ step % 400).bytes(.big) + (1 &+ step % 40).bytes(.big)
        case .carbonDioxide: time + (400 &+ step % 40_000).bytes(.big) + climate
        }
    }
}

/// An event during a session, which the beacon indicates (kbeacon.md, Other parameters).
package struct KBeaconEvent: Hashable, Sendable {
    /// The type of the trigger; in the first generation 1 motion, 2 button, 4 nearby, 8 humidity.
    package var trigger: Int
    /// The time from the end of the handshake to the event.
    package var delay: Duration
    /// How the button was pressed; the first generation sends it as a second byte.
    package var press = Press.singleClick

    package enum Press: UInt8, Hashable, Sendable {
        case long = 2
        case singleClick = 3
        case doubleClick = 4
        case tripleClick = 5
    }

    package init(trigger: Int, after delay: Duration) { (self.trigger, self.delay) = (trigger, delay) }

    func kind(_ generation: KBeaconGeneration) -> UInt8? {
        switch generation {
        case .first: [1: 4, 2: 3, 4: 1, 8: 2][trigger]
        case .second: (1...0x3F).contains(trigger) ? UInt8(clamping: trigger) : nil
        }
    }
}

extension KBeaconSettings {
    /// The bit of `trAct` that makes a trigger report its events.
    private static let reports = 0x10

    /// Makes the trigger of `event` report its events, if the beacon has it.
    mutating func enableReports(of event: KBeaconEvent, _ description: KBeaconDescription) {
        guard description.has(trigger: event.trigger) else { return }
        if description.generation == .first {
            triggers[event.trigger]?["trAct"] = .number(Self.reports)
        } else if !triggers.values.contains(where: { $0["trType"] == .number(event.trigger) }) {
            let index = triggers.count
            triggers[index] = ["trIdx": index, "trType": event.trigger, "trAct": Self.reports]
                .mapValues(KBeaconValue.number)
        }
    }

    func reports(_ type: Int) -> Bool {
        triggers.values.contains {
            $0["trType"] == .number(type) && ($0["trAct"]?.number ?? 0) & Self.reports != 0
        }
    }
}
