/// Orders versions by the runs of digits in the text, from left to right.
///
/// `1.10` is above `1.9`, `v_6.0.14` above `6.0.2`; `1.2` and `1.2.0` are the same. Letters are not compared, so
/// `1.2-beta` and `1.2` are the same too.
public struct VersionOrder: Hashable, Sendable {
    private let numbers: [[UInt8]]

    /// The order of a text; nil for one without digits, which cannot be compared.
    public init?(_ text: String) {
        let runs = text.utf8.split { !(0x30...0x39).contains($0) }
        guard !runs.isEmpty else { return nil }
        // Digits without leading zeros compare like numbers of any size.
        var numbers = runs.map { Array($0.drop { $0 == 0x30 }) }
        while numbers.last?.isEmpty == true { numbers.removeLast() }
        self.numbers = numbers
    }
}

extension VersionOrder: Comparable {
    /// Whether `left` is the older version.
    public static func < (left: VersionOrder, right: VersionOrder) -> Bool {
        for (one, other) in zip(left.numbers, right.numbers) where one != other {
            return one.count == other.count
                ? one.lexicographicallyPrecedes(other) : one.count < other.count
        }
        return left.numbers.count < right.numbers.count
    }
}
