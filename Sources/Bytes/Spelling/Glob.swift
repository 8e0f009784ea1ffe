/// A pattern with `*` for any number of characters and `?` for exactly one.
public struct Glob: Hashable, Sendable {
    public let pattern: String

    public init(_ pattern: String) { self.pattern = pattern }

    /// Whether the whole `text` matches. The time is bounded by the product of both lengths.
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
                // The last star matches one more character; earlier stars need not be tried again.
                star = (last.pattern, last.text + 1)
                (next, here) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return wanted[next...].allSatisfy { $0 == "*" }
    }

    /// Whether there is a text that matches both patterns.
    public func overlaps(_ other: Glob) -> Bool {
        let (ours, theirs) = (Array(pattern), Array(other.pattern))
        // Most patterns differ before their first star.
        for (one, two) in zip(ours, theirs) {
            if one == "*" || two == "*" { break }
            guard one == two || one == "?" || two == "?" else { return false }
        }
        // The positions of the other pattern that can be reached after each character of this one.
        var row = Self.afterStars(of: theirs, from: [0])
        for character in ours {
            var next: Set<Int> = []
            for place in row {
                if character == "*" {
                    next.formUnion(place...theirs.count)
                } else if place < theirs.count {
                    let wanted = theirs[place]
                    if wanted == "*" {
                        next.insert(place)
                    } else if wanted == "?" || character == "?" || wanted == character {
                        next.insert(place + 1)
                    }
                }
            }
            row = Self.afterStars(of: theirs, from: next)
        }
        return row.contains(theirs.count)
    }

    /// `places`, and the positions that are reached from them if stars match nothing.
    private static func afterStars(of pattern: [Character], from places: Set<Int>) -> Set<Int> {
        var all = places
        for place in places {
            var place = place
            while place < pattern.count, pattern[place] == "*" {
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}
