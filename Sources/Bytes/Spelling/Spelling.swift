public enum Spelling {
    /// The one of `words` with the smallest edit distance to `word` (insertions, deletions, replacements, swaps of
    /// neighbours), otherwise the only one that begins with `word`; nil if there is none. Case does not count.
    public static func nearest(to word: String, in words: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().utf8)
        guard (2...longest).contains(typed.count) else { return nil }
        let limit = typed.count < 3 ? 0 : typed.count < 6 ? 1 : typed.count < 9 ? 2 : 3
        var best: (word: String, distance: Int)?
        var completions: [String] = []
        for candidate in words {
            let letters = Array(candidate.lowercased().utf8)
            if letters.starts(with: typed) { completions.append(candidate) }
            guard letters.count <= longest, abs(letters.count - typed.count) <= limit else { continue }
            let distance = distance(typed, letters)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word ?? (completions.count == 1 ? completions.first : nil)
    }

    /// `; did you mean 'WORD'?` with the nearest of `words`, or `otherwise`.
    public static func hint(
        for word: String, in words: some Sequence<String>, otherwise: String = ""
    ) -> String {
        nearest(to: word, in: words).map { "; did you mean '\($0)'?" } ?? otherwise
    }

    /// No known word is longer, and the time grows with the square of the length.
    private static let longest = 64

    /// The optimal string alignment distance.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var next = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, before[column - 1] + 1)
                }
                next.append(cost)
            }
            (before, last) = (last, next)
        }
        return last[second.count]
    }
}
