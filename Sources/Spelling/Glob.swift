/// A text with `*` for any characters and `?` for any one.
public struct Glob: Hashable, Sendable {
    /// The pattern as it was given.
    public let pattern: String

    /// A pattern; every text is one.
    public init(_ pattern: String) { self.pattern = pattern }

    /// Whether all of `text` fits. The time is bounded by the product of both lengths, whatever they are.
    public func matches(_ text: String) -> Bool {
        let wanted = Array(pattern)
        let given = Array(text)
        var (next, here) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while here < given.count {
            if next < wanted.count, wanted[next] == "*" {
                star = (next, here)
                next += 1
            } else if next < wanted.count, wanted[next] == "?" || wanted[next] == given[here] {
                next += 1
                here += 1
            } else if let last = star {
                // The last star takes one more; earlier ones need not be tried again.
                star = (last.pattern, last.text + 1)
                (next, here) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return wanted[next...].allSatisfy { $0 == "*" }
    }
}
