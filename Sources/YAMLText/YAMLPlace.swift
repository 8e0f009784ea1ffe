/// Where something stands in a text.
struct YAMLPlace: Hashable, Sendable {
    /// From 1.
    let line: Int
    /// From 1, in Unicode scalars.
    let column: Int
    /// How many scalars of that line are meant.
    var width = 1
}
