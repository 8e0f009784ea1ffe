/// One of several parts of an update, which are installed one after the other.
public struct UpdatePart: Equatable, Sendable {
    /// Its number, from 1.
    public let number: Int
    /// The number of parts.
    public let count: Int
    /// Its title in sentences.
    public let title: String
    /// Earlier parts that the device has refused, so that they were skipped; the others are installed.
    public let refused: [Int]

    /// A part with these properties.
    public init(number: Int, of count: Int, title: String, refusing refused: [Int] = []) {
        self.number = number
        self.count = count
        self.title = title
        self.refused = refused
    }

    /// The results of the parts before it, such as `part 1 was refused`; nil for the first.
    public var before: String? {
        let installed = (1..<max(number, 1)).filter { !refused.contains($0) }
        let words = [
            Self.parts(installed).map { $0 + (installed.count == 1 ? " is installed" : " are installed") },
            Self.parts(refused).map { $0 + (refused.count == 1 ? " was refused" : " were refused") },
        ].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    private static func parts(_ numbers: [Int]) -> String? {
        guard let last = numbers.last else { return nil }
        guard numbers.count > 1 else { return "part \(last)" }
        return "parts \(numbers.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }
}

extension UpdatePart: CustomStringConvertible {
    /// Number and title.
    public var description: String { "part \(number) of \(count): \(title)" }
}
