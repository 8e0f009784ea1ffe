/// A position in a text.
struct YAMLPlace: Hashable, Sendable {
    /// From 1.
    let line: Int
    /// From 1, in Unicode scalars.
    let column: Int
    /// The number of scalars on that line.
    var width = 1
}
