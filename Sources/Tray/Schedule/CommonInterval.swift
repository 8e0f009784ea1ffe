/// The common connection interval of all links of an adapter.
///
/// A controller places the events of its links one after another within the interval: links with the same interval
/// never collide while it holds all their events; links with unrelated intervals do. Every interval here is twice the
/// next shorter one, so that a link that has not changed yet, or cannot change, fits in as well.
enum CommonInterval {
    /// One pair of full packets on LE 1M, both ways (2468 µs), rounded up to the slots of intervals.
    static let event = Duration.microseconds(2500)
    /// For one to four links.
    static let shortest = Duration.milliseconds(10)

    /// The shortest interval that holds the events of `links`.
    static func interval(for links: Int) -> Duration {
        var interval = shortest
        while event * links > interval { interval *= 2 }
        return interval
    }
}
