/// One of several parts of an update that are installed one after the other.
public struct UpdatePart: Equatable, Sendable {
    /// Its place, from 1.
    public let number: Int
    /// How many there are.
    public let count: Int
    /// What it is, in sentences.
    public let title: String
    /// Which parts before it the device has refused, so that they were passed over: the others are installed.
    public let refused: [Int]

    /// The part in the given place.
    public init(number: Int, of count: Int, title: String, refusing refused: [Int] = []) {
        self.number = number
        self.count = count
        self.title = title
        self.refused = refused
    }

    /// What has become of the parts before it, as in `part 1 was refused`; nil where it is the first.
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
    /// Place and content.
    public var description: String { "part \(number) of \(count): \(title)" }
}
