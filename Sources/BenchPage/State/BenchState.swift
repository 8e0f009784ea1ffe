/// All that the page shows at a moment.
public struct BenchState: Hashable, Sendable {
    /// The benches, in the order in which they are shown.
    public var benches: [Bench]
    /// What the window is called.
    public var title: String

    /// Benches under a title.
    public init(title: String = "beacon-dfu", benches: [Bench] = []) {
        (self.title, self.benches) = (title, benches)
    }
}
