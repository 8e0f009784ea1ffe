/// A version in a file.
public struct FirmwareVersion: Hashable, Sendable {
    /// The field as text; a number as decimal digits.
    public let text: String
    /// The field that contains it.
    public let place: Finding.Place
    private let isText: Bool

    /// The version in the field at `place`; `isText` is false if its bytes are not text.
    public init(_ text: String, isText: Bool = true, at place: Finding.Place) {
        (self.text, self.isText, self.place) = (text, isText, place)
    }

    /// The version for people; nil if the field is empty or not text.
    public var readable: String? { isText && !text.isEmpty ? text : nil }

    /// Whether a name with points, such as 2.7.31, means this version: unchanged, without its points, or as
    /// nrfutil encodes it, 20731.
    public func agrees(with dotted: String) -> Bool {
        let parts = dotted.split(separator: ".").compactMap { Int($0) }
        var spellings = [parts.map(String.init).joined()]
        if parts.count == 3 { spellings.append(String(parts[0] * 10_000 + parts[1] * 100 + parts[2])) }
        return spellings.contains(text) || VersionOrder(dotted) == VersionOrder(text)
    }
}
