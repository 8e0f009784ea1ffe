/// The one connection interval of all links of an adapter.
///
/// A controller places the events of its links one after another within the interval: links of the same interval never
/// collide while it holds all their events, links of unrelated ones do. Every interval here is twice the next shorter one,
/// so that a link which has not changed yet, or cannot, fits in as well.
enum CommonInterval {
    /// One pair of full packets on LE 1M, both ways (2468 µs), rounded up to the slots of intervals.
    static let event = Duration.microseconds(2500)
    /// For one link to four.
    static let shortest = Duration.milliseconds(10)

    /// The shortest interval that holds the events of `links`.
    static func interval(for links: Int) -> Duration {
        var interval = shortest
        while event * links > interval { interval *= 2 }
        return interval
    }
}
