/// A period during which a beacon blinked, beeped or vibrated (kbeacon.md, Ring).
package struct KBeaconRing: Hashable, Sendable {
    package let signals: Set<Signal>
    package let onTime, offTime: Duration?
    package let start: Duration
    /// How long it lasted, at most until the end of the link.
    package internal(set) var lasted: Duration

    package enum Signal: String, Hashable, Sendable { case light, beep, vibration }

    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}

/// Blinking, beeping and vibrating (kbeacon.md, Ring).
extension KBeaconSession {
    mutating func ring(_ members: [String: KBeaconValue], at now: Duration) throws(KBeaconCause) {
        let type = try members.number("ringType")
        guard (description.generation == .first ? 0...2 : 0...7).contains(type) else {
            throw .parameterInvalid
        }
        let onTime = try members.optional("ledOn", in: 0...Self.longest).map { Duration.milliseconds($0) }
        let offTime = try members.optional("ledOff", in: 0...Self.longest).map { Duration.milliseconds($0) }
        let signals = Self.signals(of: type, description.generation)
        guard !signals.isEmpty else { return statistics.endRinging(at: now) }
        let time = try members.number("ringTime")
        guard (1...Self.longest).contains(time) else { throw .parameterInvalid }
        let canBeep = description.can(1)
        guard canBeep || !signals.contains(.beep) || description.acceptsImpossibleBeeps else {
            throw .featureMissing
        }
        statistics.endRinging(at: now)
        statistics.rings.append(
            KBeaconRing(
                signals: canBeep ? signals : signals.subtracting([.beep]), onTime: onTime, offTime: offTime,
                start: now, lasted: .milliseconds(time)))
    }

    private static let longest = 3_600_000

    private static func signals(of type: Int, _ generation: KBeaconGeneration) -> Set<KBeaconRing.Signal> {
        // The first generation counts from 0: light, beep, both.
        let bits = generation == .second ? type : [0: 2, 1: 1][type, default: 3]
        let signals: [(bit: Int, signal: KBeaconRing.Signal)] = [(1, .beep), (2, .light), (4, .vibration)]
        return Set(signals.filter { bits & $0.bit != 0 }.map(\.signal))
    }

    func statistics(at now: Duration) -> KBeaconStatistics {
        var statistics = statistics
        statistics.endRinging(at: now)
        return statistics
    }
}
