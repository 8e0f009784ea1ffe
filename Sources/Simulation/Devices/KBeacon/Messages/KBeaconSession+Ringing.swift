/// Blinking, beeping and vibrating (kbeacon.md, Ring).
extension KBeaconSession {
    mutating func ring(_ members: [String: KBeaconValue], at now: Duration) throws(KBeaconRefusal) {
        let type = try members.number("ringType")
        guard (description.generation == .first ? 0...2 : 0...7).contains(type) else {
            throw KBeaconRefusal(.parameterInvalid)
        }
        let isLit = try members.optional("ledOn", in: 0...Self.longest).map { Duration.milliseconds($0) }
        let isDark = try members.optional("ledOff", in: 0...Self.longest).map { Duration.milliseconds($0) }
        let means = Self.means(of: type, description.generation)
        guard !means.isEmpty else {
            endRinging(at: now)
            return
        }
        let time = try members.number("ringTime")
        guard (1...Self.longest).contains(time) else { throw KBeaconRefusal(.parameterInvalid) }
        let canBeep = description.can(1)
        guard canBeep || !means.contains(.beep) || description.acceptsImpossibleBeeps else {
            throw KBeaconRefusal(.featureMissing)
        }
        endRinging(at: now)
        statistics.rings.append(
            KBeaconRing(
                means: canBeep ? means : means.subtracting([.beep]), asked: .milliseconds(time),
                isLit: isLit, isDark: isDark, start: now, lasted: .milliseconds(time)))
    }

    /// The longest duration of any kind, in ms.
    private static let longest = 3_600_000

    private mutating func endRinging(at now: Duration) {
        if let last = statistics.rings.indices.last { statistics.rings[last].end(at: now) }
    }

    private static func means(of type: Int, _ generation: KBeaconGeneration) -> Set<KBeaconRing.Means> {
        switch (generation, type) {
        case (.first, 0): return [.light]
        case (.first, 1): return [.beep]
        case (.first, _): return [.light, .beep]
        case (.second, _):
            let bits: [(Int, KBeaconRing.Means)] = [(1, .beep), (2, .light), (4, .vibration)]
            return Set(bits.filter { type & $0.0 != 0 }.map(\.1))
        }
    }

    /// What it has recorded; a ring that has not ended counts until `now`.
    func statistics(at now: Duration) -> KBeaconStatistics {
        var statistics = statistics
        if let last = statistics.rings.indices.last { statistics.rings[last].end(at: now) }
        return statistics
    }
}
