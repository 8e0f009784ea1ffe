extension YAMLValue {
    /// The text of a scalar, as written: `1.10` stays `1.10`.
    public func text() throws(YAMLProblem) -> String {
        switch content {
        case .text(let text): return text
        case .nothing: throw problem("a value is expected here, not null")
        case .list, .mapping: throw problem("a single value is expected here")
        }
    }

    /// A number, decimal or hexadecimal with `0x`.
    public func number<T: FixedWidthInteger>(
        as type: T.Type = T.self, in range: ClosedRange<T> = T.min...T.max
    ) throws(YAMLProblem) -> T {
        let words = try text()
        let isHexadecimal = words.lowercased().hasPrefix("0x")
        guard
            let value = isHexadecimal ? T(words.dropFirst(2), radix: 16) : T(words), range.contains(value)
        else { throw notANumber(words, range.lowerBound, range.upperBound) }
        return value
    }

    /// A number with or without a fraction, in decimal.
    public func decimal(in range: ClosedRange<Double>) throws(YAMLProblem) -> Double {
        let words = try text()
        let isPlain = words.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard isPlain, let value = Double(words), range.contains(value) else {
            throw notANumber(words, range.lowerBound.formatted, range.upperBound.formatted)
        }
        return value
    }

    private func notANumber(_ words: String, _ first: some Any, _ last: some Any) -> YAMLProblem {
        problem("'\(words)' is not a number from \(first) to \(last)")
    }

    /// True or false.
    public func truth() throws(YAMLProblem) -> Bool {
        switch try text() {
        case "true": return true
        case "false": return false
        case let words: throw problem("'\(words)' is neither true nor false")
        }
    }

    /// One of `words`.
    public func choice(of words: [String]) throws(YAMLProblem) -> String {
        let word = try text()
        guard words.contains(word) else {
            let list = words.joined(separator: ", ")
            throw problem("'\(word)' is not one of \(list)" + Spelling.hint(for: word, in: words))
        }
        return word
    }

    /// The value that `known` has for the name.
    public func choice<Value>(of known: [String: Value]) throws(YAMLProblem) -> Value {
        let name = try choice(of: known.keys.sorted())
        guard let value = known[name] else { throw problem("'\(name)' is unknown") }
        return value
    }

    /// The value of `key`, which must be one of the `values` of this mapping.
    public func required(_ key: String, in values: [String: YAMLValue]) throws(YAMLProblem) -> YAMLValue {
        guard let found = values[key] else { throw problem("'\(key)' is missing") }
        return found
    }

    /// One of the words of a type.
    public func word<Word: RawRepresentable<String> & CaseIterable>() throws(YAMLProblem) -> Word {
        let text = try choice(of: Word.allCases.map(\.rawValue))
        guard let word = Word(rawValue: text) else { throw problem("'\(text)' is unknown") }
        return word
    }

    /// The values of a list.
    public func list() throws(YAMLProblem) -> [YAMLValue] {
        guard case .list(let values) = content else { throw problem("a list is expected here") }
        return values
    }

    /// The members of a mapping, in order, without those that are null in JSON; a duplicate key is an error.
    public func members() throws(YAMLProblem) -> [Member] {
        try allMembers().filter { if case .nothing = $0.value.content { false } else { true } }
    }

    /// The members of a mapping, in order; a duplicate key is an error.
    public func allMembers() throws(YAMLProblem) -> [Member] {
        guard case .mapping(let members) = content else { throw problem("a mapping is expected here") }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            throw member.place.problem("'\(member.key)' appears twice")
        }
        return members
    }

    /// The values of a mapping that has only `known` keys: a typing error must not pass as a setting.
    public func values(of known: [String]) throws(YAMLProblem) -> [String: YAMLValue] {
        var values: [String: YAMLValue] = [:]
        for member in try members() {
            guard known.contains(member.key) else { throw member.unknown(known) }
            values[member.key] = member.value
        }
        return values
    }
}

extension YAMLValue.Member {
    /// The error for a key that is not one of the `known` ones.
    public func unknown(_ known: [String]) -> YAMLProblem {
        let list = "; valid keys are \(known.joined(separator: ", "))"
        return place.problem(
            "unknown key '\(key)'" + Spelling.hint(for: key, in: known, otherwise: list))
    }
}

extension Double {
    /// Without a zero fraction.
    fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
