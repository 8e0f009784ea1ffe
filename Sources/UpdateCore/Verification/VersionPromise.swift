/// The version that an update promises, and what the application's own words say about it.
///
/// A device says its version as text (Firmware Revision String, 2A26). A package of Nordic's has a number, which
/// nrfutil makes of such a text: major · 10000 + minor · 100 + patch. Vendors need not keep to that, so a number
/// and a text that cannot be the same count are not held against each other.
public struct VersionPromise: Equatable, Sendable {
    /// What a text is worth.
    public enum Verdict: Equatable, Sendable {
        /// The device does not say.
        case silent
        /// It is the promised version.
        case kept
        /// It is another one, and what was promised should show: the old application is running.
        case broken
        /// It is another one than before or a higher one, in the vendor's own counting.
        case different
        /// Number and text count differently; whether the text is the same as before.
        case incomparable(isUnchanged: Bool)
    }

    /// The package's number; nil when it has none.
    public let number: UInt32?
    /// The exact text that the application has to show; nil leaves that to the number.
    public let text: String?

    /// The text in the image's header, which the application should show, and need not.
    public let announced: String?

    /// The version with this number, or exactly this text.
    public init(number: UInt32? = nil, text: String? = nil) {
        self.number = number
        self.text = text
        announced = nil
    }

    /// What an image is called in its header: an application may show it, show something else, or nothing.
    public init(announced: String) {
        number = nil
        text = nil
        self.announced = announced
    }

    /// Whether `shown` is the text that was promised or announced; a leading `v` or `v_` makes no difference to the
    /// latter.
    public func isMet(by shown: String) -> Bool {
        if let text { return shown == text }
        guard let announced else { return false }
        return Self.plain(shown) == Self.plain(announced)
    }

    private static func plain(_ text: String) -> Substring {
        text.first == "v" || text.first == "V" ? text.dropFirst().drop { $0 == "_" } : text[...]
    }

    /// What `after` says, read from the application when the update was done; `before` was read when it began.
    public func verdict(before: String?, after: String?) -> Verdict {
        if let text { return after == text ? .kept : .broken }
        guard let after else { return .silent }
        if announced != nil {
            if isMet(by: after) { return .kept }
            return before == after ? .broken : .different
        }
        guard let number, let shown = Self.number(in: after), Self.mayCompare(number, with: after) else {
            return .incomparable(isUnchanged: before == after)
        }
        if shown == number { return .kept }
        let hasChanged = before != nil && before != after
        return shown < number && !hasChanged ? .broken : .different
    }

    /// The number in a text: nrfutil's for two or three numbers with points between them, or the only number.
    /// Nil when there is none. A leading `v` and what follows a `+`, `-` or space are passed over.
    static func number(in text: String) -> UInt32? {
        let fields = numbers(in: text)
        switch fields?.count {
        case 1: return fields?[0]
        case 2, 3:
            guard let fields, fields.dropFirst().allSatisfy({ $0 < 100 }), fields[0] < 100_000 else {
                return nil
            }
            return fields[0] * 10_000 + fields[1] * 100 + (fields.count == 3 ? fields[2] : 0)
        default: return nil
        }
    }

    /// Whether `number` can be the count of a text like this one: 1 is no count of "1.0.0".
    private static func mayCompare(_ number: UInt32, with text: String) -> Bool {
        guard let fields = numbers(in: text) else { return false }
        guard fields.count > 1 else { return true }
        return (number >= 10_000) == (fields[0] > 0) && number < UInt32.max
    }

    private static func numbers(in text: String) -> [UInt32]? {
        let version = text.drop { $0 == "v" || $0 == "V" }.prefix { !" +-".contains($0) }
        let fields = version.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { $0.allSatisfy(\.isNumber) ? UInt32($0) : nil }
        return numbers.count == fields.count ? numbers : nil
    }
}

extension VersionPromise: CustomStringConvertible {
    /// The version as people write it.
    public var description: String {
        if let text = text ?? announced { return text }
        guard let number else { return "unknown" }
        guard number >= 100, number < UInt32.max else { return "\(number)" }
        return "\(number) (\(number / 10_000).\(number / 100 % 100).\(number % 100))"
    }
}
