/// The version that an update promises, and what the application's own version text says about it.
///
/// A device says its version as text (Firmware Revision String, 2A26). A package of Nordic's has a number, which
/// nrfutil makes of such a text: major · 10000 + minor · 100 + patch. Vendors need not follow that, so a number and a
/// text that cannot follow it are not compared. An image of Dialog's has a text in its header, which the device may
/// show or not.
public struct ExpectedVersion: Equatable, Sendable {
    /// What the application's text proves.
    public enum Verdict: Equatable, Sendable {
        /// The device does not say.
        case silent
        /// It is the promised version.
        case kept
        /// It is another one, although the promised one would show: the old application is running.
        case broken
        /// It differs from the one before, or is higher, in the vendor's own numbering.
        case different
        /// Number and text are numbered differently; whether the text is the same as before.
        case incomparable(isUnchanged: Bool)
    }

    private enum Content: Equatable {
        case nothing
        case number(UInt32)
        case exact(String)
        case announced(String)
        case listed(UInt16)
        case hinted(UInt32)
    }

    private let content: Content

    /// The version with this number, or exactly this text.
    public init(number: UInt32? = nil, text: String? = nil) {
        content = text.map { .exact($0) } ?? number.map { .number($0) } ?? .nothing
    }

    /// The version in an image's header, which an application may or may not show.
    public init(announced text: String) { content = .announced(text) }

    /// The number that an application has to show: as it is, or with points between its digits, alone or in a list with
    /// commas. Showing nothing is not enough.
    public init(listed number: UInt16) { content = .listed(number) }

    /// A number that nothing compares, as that of a Legacy init packet. An application that shows it, and of which nothing was known
    /// before, runs it; anything else that it shows proves nothing.
    public init(hinted number: UInt32) { content = .hinted(number) }

    /// Whether the application need not show it.
    public var isHint: Bool { if case .hinted = content { true } else { false } }

    /// What the application has to show; nil where something else was promised.
    public var text: String? {
        switch content {
        case .exact(let text): text
        case .listed(let number): "\(number)"
        case .nothing, .number, .announced, .hinted: nil
        }
    }

    /// Whether `shown` is the text that was promised or announced. A leading `v` or `v_` makes no difference, nor do zeros before
    /// the numbers of a text that has nothing but numbers and points.
    public func isMet(by shown: String) -> Bool {
        switch content {
        case .exact(let text), .announced(let text):
            Self.plain(shown) == Self.plain(text)
                || Self.components(shown).map { $0 == Self.components(text) } == true
        case .listed(let number):
            shown.split(separator: ",").contains {
                UInt16(Self.plain(String($0)).filter { $0 != "." }) == number
            }
        case .number, .nothing, .hinted: false
        }
    }

    private static func components(_ text: String) -> [UInt32]? {
        let fields = plain(text).split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
        return fields.count > 1 && fields.allSatisfy { $0 != nil } ? fields.compactMap(\.self) : nil
    }

    private static func plain(_ text: String) -> Substring {
        text.first == "v" || text.first == "V" ? text.dropFirst().drop { $0 == "_" } : text[...]
    }

    /// Judges `after`, read from the application after the update; `before` was read when it began.
    public func verdict(before: String?, after: String?) -> Verdict {
        switch (content, after) {
        case (.exact, _), (.listed, _): return after.map { isMet(by: $0) } == true ? .kept : .broken
        case (_, nil): return .silent
        case (.announced, let after?):
            if isMet(by: after) { return .kept }
            return before == after ? .broken : .different
        case (.number(let number), let after?): return verdict(on: number, before: before, after: after)
        case (.hinted(let number), let after?)
        where before == nil && Self.order(of: number, to: after) == .same:
            return .kept
        case (.nothing, _), (.hinted, _): return .incomparable(isUnchanged: before == after)
        }
    }

    private func verdict(on number: UInt32, before: String?, after: String) -> Verdict {
        guard let shown = Self.number(in: after), Self.mayCompare(number, with: after) else {
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

    /// Whether `number` can be the count of a text like this one: 1 is not a count of "1.0.0".
    static func mayCompare(_ number: UInt32, with text: String) -> Bool {
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

extension ExpectedVersion: CustomStringConvertible {
    /// The version for people, as in `20731 (2.7.31)`.
    public var description: String {
        switch content {
        case .nothing: return "unknown"
        case .exact(let text), .announced(let text): return text
        case .listed(let number): return "\(number)"
        case .number(let number), .hinted(let number):
            guard number >= 100, number < UInt32.max else { return "\(number)" }
            return "\(number) (\(number / 10_000).\(number / 100 % 100).\(number % 100))"
        }
    }
}
