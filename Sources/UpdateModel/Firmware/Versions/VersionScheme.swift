/// A vendor's way of numbering versions, which decides which of two versions is later.
///
/// One letter before the digits, as in `V5.20`, and a `_` after it are ignored: a device that advertises `6.20`
/// reports `V6.20` over a connection.
public enum VersionScheme: String, CaseIterable, Sendable {
    /// The runs of digits in any text, from left to right (``VersionOrder``).
    case digits
    /// One number.
    case number
    /// Any number of numbers with points between them, compared from left to right; `1.2.0` is `1.2`.
    case dotted
    /// A decimal number, by which `5.9` is above `5.20`, as in KKM's own applications.
    case decimal
    /// The 16-bit number in Feasycom's frames and files.
    case feasycom
    /// Two bytes of two decimal digits each, for example `0x0120`, or its equivalent `1.20`.
    case bcd
    /// A date, for example `2026-01-31` or `20260131`.
    case date

    /// The version in a text; nil if the text does not follow this scheme.
    public func version(_ text: String) -> OrderedVersion? {
        guard self != .digits else { return VersionOrder(text).map { OrderedVersion(self, $0) } }
        let bytes = Array(text.utf8)
        let isLettered = bytes.first.map { (0x41...0x5A).contains($0 & 0xDF) } ?? false
        let rest = bytes.dropFirst(isLettered ? 1 : 0)
        let plain = Array(isLettered && rest.first == Self.underscore ? rest.dropFirst() : rest)
        return ordered(plain)
    }

    private static let point: UInt8 = 0x2E
    private static let hyphen: UInt8 = 0x2D
    private static let underscore: UInt8 = 0x5F

    private func ordered(_ text: [UInt8]) -> OrderedVersion? {
        let order: VersionOrder?
        switch self {
        case .digits, .dotted: order = Self.fields(text, separatedBy: Self.point)
        case .number: order = Self.fields(text, separatedBy: nil)
        case .decimal: return Self.decimal(text)
        case .feasycom:
            guard UInt16(String(decoding: text, as: UTF8.self)) != nil else { return nil }
            order = Self.fields(text, separatedBy: nil)
        case .bcd: order = Self.packed(text)
        case .date: order = Self.day(text)
        }
        return order.map { OrderedVersion(self, $0) }
    }

    /// The order of numbers of any size with `separator` between them; with nil, of exactly one number.
    private static func fields(_ text: [UInt8], separatedBy separator: UInt8?) -> VersionOrder? {
        let fields = text.split(omittingEmptySubsequences: false) { $0 == separator }
        guard fields.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
        return VersionOrder(String(decoding: text, as: UTF8.self))
    }

    private static func decimal(_ text: [UInt8]) -> OrderedVersion? {
        let sides = text.split(omittingEmptySubsequences: false) { $0 == point }
        guard sides.count <= 2, sides.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }),
            let whole = VersionOrder(String(decoding: sides[0], as: UTF8.self))
        else { return nil }
        var fraction = sides.count == 2 ? Array(sides[1]) : []
        while fraction.last == 0x30 { fraction.removeLast() }
        return OrderedVersion(.decimal, whole, fraction: fraction)
    }

    private static func packed(_ text: [UInt8]) -> VersionOrder? {
        let sides: [ArraySlice<UInt8>]
        if text.starts(with: [0x30, 0x78]), text.count == 6 {
            sides = [text[2..<4], text[4..<6]]
        } else {
            sides = text.split(omittingEmptySubsequences: false) { $0 == point }
        }
        guard sides.count == 2, (1...2).contains(sides[0].count), sides[1].count == 2,
            sides.joined().allSatisfy(isDigit)
        else { return nil }
        return VersionOrder(sides.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "."))
    }

    private static func day(_ text: [UInt8]) -> VersionOrder? {
        let digits = text.count == 10 && text[4] == hyphen && text[7] == hyphen ? text.filter(isDigit) : text
        guard digits.count == 8, digits.allSatisfy(isDigit) else { return nil }
        let parts = [digits[0..<4], digits[4..<6], digits[6..<8]].map { String(decoding: $0, as: UTF8.self) }
        guard (1...12).contains(Int(parts[1]) ?? 0), (1...31).contains(Int(parts[2]) ?? 0) else { return nil }
        return VersionOrder(parts.joined(separator: "."))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// Orders versions by the runs of digits in the text, from left to right.
///
/// `1.10` is above `1.9`, `v_6.0.14` above `6.0.2`; `1.2` and `1.2.0` are the same. Letters are not compared, so
/// `1.2-beta` and `1.2` are the same too.
public struct VersionOrder: Hashable, Sendable, Comparable {
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

    public static func < (left: VersionOrder, right: VersionOrder) -> Bool {
        for (one, other) in zip(left.numbers, right.numbers) where one != other {
            return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
        }
        return left.numbers.count < right.numbers.count
    }
}

/// A version that can be compared with every other one of its scheme.
public struct OrderedVersion: Hashable, Sendable, Comparable {
    public let scheme: VersionScheme
    private let order: VersionOrder
    /// The digits after the point of a decimal number, without trailing zeros.
    private let fraction: [UInt8]

    init(_ scheme: VersionScheme, _ order: VersionOrder, fraction: [UInt8] = []) {
        (self.scheme, self.order, self.fraction) = (scheme, order, fraction)
    }

    /// Whether `left` is the earlier version. Versions of two schemes are in the order of the schemes, which
    /// has no meaning for firmware.
    public static func < (left: OrderedVersion, right: OrderedVersion) -> Bool {
        guard left.scheme == right.scheme else { return left.scheme.rawValue < right.scheme.rawValue }
        guard left.order == right.order else { return left.order < right.order }
        return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
}
