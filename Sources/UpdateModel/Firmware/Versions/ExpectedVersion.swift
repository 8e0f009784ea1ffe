/// The expected version of an update, compared with the application's own version text.
///
/// A device reports its version as text (Firmware Revision String, 2A26). A Nordic package has a number, which
/// nrfutil derives from such a text: major · 10000 + minor · 100 + patch. Vendors need not follow this rule, so a
/// number is not compared with a text to which the rule cannot apply. A Dialog image has a text in its header, which
/// the device may or may not report.
public struct ExpectedVersion: Equatable, Sendable, CustomStringConvertible {
    /// The result of comparing the application's text with the expected version.
    public enum Verdict: Equatable, Sendable {
        /// The application reports no version, and need not report one.
        case silent
        /// The application reports the expected version.
        case kept
        /// The old application is running: the new one would report the expected version, but this one does not.
        case broken
        /// The text has changed, or is higher than expected: the vendor has a numbering of its own.
        case different
        /// Number and text cannot be compared. `isUnchanged`: the text is the same as before the update.
        case incomparable(isUnchanged: Bool)
    }

    private enum Content: Equatable {
        case nothing
        case number(UInt32)
        case exact(String)
        case announced(String)
        case listed(UInt16)
        case hinted(UInt32)
        case either(String)
    }

    private let content: Content

    /// The version with exactly this text or, if `text` is nil, with this number.
    public init(number: UInt32? = nil, text: String? = nil) {
        content = text.map { .exact($0) } ?? number.map { .number($0) } ?? .nothing
    }

    /// The version in an image's header, which an application may or may not report.
    public init(announced text: String) { content = .announced(text) }

    /// The number that an application must report: unchanged, or with points between its digits, alone or in a
    /// comma-separated list. A missing report means that the old application is running.
    public init(listed number: UInt16) { content = .listed(number) }

    /// A number that is never compared strictly, such as that of a Legacy init packet. An application that reports it
    /// only after the update is the new one; any other report proves nothing.
    public init(hinted number: UInt32) { content = .hinted(number) }

    /// A user's text for a version that applications report alone, or in a comma-separated list with points between its
    /// digits: either form of the same number meets it.
    public init(inEitherForm text: String) { content = .either(text) }

    /// Whether the version is only a hint (`init(hinted:)`), which the application need not report.
    public var isHint: Bool { if case .hinted = content { true } else { false } }

    /// The text that the application must report; nil for other expectations.
    public var text: String? {
        switch content {
        case .exact(let text), .either(let text): text
        case .listed(let number): "\(number)"
        case .nothing, .number, .announced, .hinted: nil
        }
    }

    /// Whether `shown` is the expected or announced text, or has the listed number. A leading `v` or `v_` is ignored,
    /// and so are zeros before the numbers of a text that has nothing but numbers and points.
    public func isMet(by shown: String) -> Bool {
        switch content {
        case .exact(let text), .announced(let text): Self.isSame(text, shown)
        case .either(let text):
            Self.isSame(text, shown) || Self.isListed(text, in: shown) || Self.isListed(shown, in: text)
        case .listed(let number):
            shown.split(separator: ",").contains {
                Self.digits(String($0)) == number
            }
        case .number, .nothing, .hinted: false
        }
    }

    private static func isSame(_ text: String, _ shown: String) -> Bool {
        plain(shown) == plain(text) || components(shown).map { $0 == components(text) } == true
    }

    /// Whether `text` is only a version, and `list` has the same with or without points, as `BP102,8.40` has `840`.
    private static func isListed(_ text: String, in list: String) -> Bool {
        guard let number = digits(text) else { return false }
        return list.split(separator: ",").map(String.init).contains {
            isSame(text, $0) || text.contains(".") != $0.contains(".") && digits($0) == number
        }
    }

    private static func digits(_ text: String) -> UInt16? { UInt16(plain(text).filter { $0 != "." }) }

    private static func components(_ text: String) -> [UInt32]? {
        let fields = plain(text).split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
        return fields.count > 1 && fields.allSatisfy { $0 != nil } ? fields.compactMap(\.self) : nil
    }

    private static func plain(_ text: String) -> Substring {
        text.first == "v" || text.first == "V" ? text.dropFirst().drop { $0 == "_" } : text[...]
    }

    /// Judges the text `after`, which was read after the update; `before` was read at the update's start.
    public func verdict(before: String?, after: String?) -> Verdict {
        switch (content, after) {
        case (.exact, _), (.either, _), (.listed, _):
            return after.map { isMet(by: $0) } == true ? .kept : .broken
        case (_, nil): return .silent
        case (.announced, let after?):
            if isMet(by: after) { return .kept }
            return before == after ? .broken : .different
        case (.number(let number), let after?): return verdict(on: number, before: before, after: after)
        case (.hinted(let number), let after?)
        where before != after && Self.order(of: number, to: after) == .same:
            return .kept
        case (.nothing, _), (.hinted, _): return .incomparable(isUnchanged: before == after)
        }
    }

    private func verdict(on number: UInt32, before: String?, after: String) -> Verdict {
        guard let shown = Self.number(of: after), Self.mayCompare(number, with: after) else {
            return .incomparable(isUnchanged: before == after)
        }
        if shown == number { return .kept }
        let hasChanged = before != nil && before != after
        return shown < number && !hasChanged ? .broken : .different
    }

    /// The number that a package would have for the version that an application reports: nrfutil's number for two or
    /// three numbers with points between them, or a single number itself. Nil for other texts. A leading `v` and the
    /// part after a `+`, `-` or space are ignored.
    public static func number(of text: String) -> UInt32? {
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

    /// Whether `number` can be nrfutil's number for a text like this one: 1 cannot be that of "1.0.0".
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

    /// The version for people, for example `20731 (2.7.31)`.
    public var description: String {
        switch content {
        case .nothing: return "unknown"
        case .exact(let text), .either(let text), .announced(let text): return text
        case .listed(let number): return "\(number)"
        case .number(let number), .hinted(let number):
            guard number >= 100, number < UInt32.max else { return "\(number)" }
            return "\(number) (\(number / 10_000).\(number / 100 % 100).\(number % 100))"
        }
    }

    /// How a package's number compares with the version that an application reports.
    public enum Order: Sendable {
        case lower
        case same
        case higher
    }

    /// How `number` compares with `shown`; nil if the two are numbered differently.
    public static func order(of number: UInt32, to shown: String) -> Order? {
        guard let installed = Self.number(of: shown), mayCompare(number, with: shown) else { return nil }
        if number == installed { return .same }
        return number < installed ? .lower : .higher
    }
}
