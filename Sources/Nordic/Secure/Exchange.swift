/// Times of a request and its response, by our clock.
struct Exchange: Equatable, Sendable {
    /// When the request began.
    let asked: Duration
    /// When the response came.
    let answered: Duration
}
