/// When an adapter listens for units that were not heard yet. Listening takes air time from its links, so that with
/// links it listens for a while and pauses for longer.
enum ListeningPlan {
    /// Long enough for three adverts of a slow beacon.
    static let burst = Duration.seconds(3)
    static let period = Duration.seconds(12)

    /// Whether `now`, after the beginning of the run, is a time to listen.
    static func isDue(at now: Duration, hasLinks: Bool) -> Bool { !hasLinks || phase(of: now) < burst }

    /// When that changes, while there are links.
    static func change(after now: Duration) -> Duration {
        let phase = phase(of: now)
        return now - phase + (phase < burst ? burst : period)
    }

    private static func phase(of now: Duration) -> Duration {
        now - period * Int(now / period)
    }
}
