/// An observation about a firmware file, or about its use, that matters to a device or a person.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The position of a finding in the file; parts that do not apply are nil.
    public struct Place: Hashable, Sendable {
        /// The entry of an archive.
        public var entry: String?
        /// Bytes from the start of the file to the field.
        public var offset: Int?
        /// The field, by its name in the format's documentation.
        public var field: String?

        /// The file as a whole, unless a part is given.
        public init(entry: String? = nil, offset: Int? = nil, field: String? = nil) {
            (self.entry, self.offset, self.field) = (entry, offset, field)
        }
    }

    /// What was found; a rule of the release gate may have the same code.
    public let code: FailureCode
    /// Its severity, by default or by a rules file.
    public var level: FindingLevel
    public let place: Place
    /// What was found, in one line. If `place` has a field, the field is the subject of this line.
    public let message: String
    /// The part of a package that it concerns, by its name in the format; nil in files of one part.
    public let part: String?
    /// Whether it is the verdict of the target device instead of an error in the file itself.
    public var isAboutTarget = false

    public var id: String { code.rawValue }

    public init(
        _ code: FailureCode, _ level: FindingLevel, _ place: Place, _ message: String, part: String? = nil
    ) {
        (self.code, self.level, self.place) = (code, level, place)
        (self.part, self.message) = (part, message)
    }

    /// A finding about the file as a whole.
    public init(_ code: FailureCode, _ level: FindingLevel, _ message: String) {
        self.init(code, level, Place(), message)
    }

    public init(_ code: FailureCode, _ level: FindingLevel, offset: Int, field: String, _ message: String) {
        self.init(code, level, Place(offset: offset, field: field), message)
    }

    public var description: String {
        let place = "\(place)"
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

extension Finding.Place: CustomStringConvertible {
    /// Entry, field and offset for people; empty for the file as a whole.
    public var description: String {
        let at = [field, offset.map { "at offset \($0)" }].compactMap(\.self).joined(separator: " ")
        return [entry, at.isEmpty ? nil : at].compactMap(\.self).joined(separator: ": ")
    }
}

public enum FindingLevel: String, CaseIterable, Sendable {
    /// Devices refuse this, the file contradicts itself, or it must not be released.
    case error
    /// Some devices refuse this, or it is rarely intended.
    case warning
    /// Worth knowing.
    case note
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in the order of first occurrence.
    package var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sequence<Finding> {
    /// Errors first, then warnings, then notes; otherwise in their order.
    public var errorsFirst: [Finding] {
        FindingLevel.allCases.flatMap { level in filter { $0.level == level } }
    }

    public var firstError: Finding? { first { $0.level == .error } }
}

/// A result builder that makes one list of the values and lists in a body, in their order.
@resultBuilder package enum ListBuilder<Element> {
    package static func buildExpression(_ element: Element) -> [Element] { [element] }
    package static func buildExpression(_ list: [Element]) -> [Element] { list }
    package static func buildBlock(_ lists: [Element]...) -> [Element] { lists.flatMap(\.self) }
    package static func buildOptional(_ list: [Element]?) -> [Element] { list ?? [] }
    package static func buildEither(first list: [Element]) -> [Element] { list }
    package static func buildEither(second list: [Element]) -> [Element] { list }
    package static func buildArray(_ lists: [[Element]]) -> [Element] { lists.flatMap(\.self) }
}
