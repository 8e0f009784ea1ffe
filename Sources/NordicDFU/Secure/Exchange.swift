/// A request and its answer, by our clock.
struct Exchange: Equatable, Sendable {
    /// When the request began.
    let asked: Duration
    /// When the answer came.
    let answered: Duration
}
