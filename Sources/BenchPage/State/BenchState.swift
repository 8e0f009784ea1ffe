/// The state that the page shows.
public struct BenchState: Hashable, Sendable {
    /// The benches, in the order in which they are shown.
    public var benches: [Bench]
    /// The window title.
    public var title: String

    /// Benches under a title.
    public init(title: String = "beacon-dfu", benches: [Bench] = []) {
        (self.title, self.benches) = (title, benches)
    }
}
