import ArgumentParser

/// A time as users write it: `90`, `120s`, `30m`, `8h`.
struct LeaseTime: Sendable, CustomStringConvertible {
    let length: Duration

    /// In the largest unit that gives a whole number.
    var description: String {
        let seconds = Int(length / .seconds(1))
        if seconds.isMultiple(of: 3600) { return "\(seconds / 3600) h" }
        return seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    static func reading(_ text: String) throws -> LeaseTime {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
        let factor = text.last.flatMap { units[$0] }
        let digits = factor == nil ? Substring(text) : text.dropLast()
        guard let count = Int(digits), (1...1_000_000).contains(count),
            let seconds = Optional(count * (factor ?? 1)),
            (90...86_400).contains(seconds)
        else {
            throw ValidationError("a time is from 90s to 24h, for example 120s, 30m or 8h")
        }
        return LeaseTime(length: .seconds(seconds))
    }
}
