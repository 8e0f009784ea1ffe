/// What an update has learned of a device's pace, for the next device of the same model with such a bootloader.
public struct Lesson: Codable, Equatable, Sendable {
    /// What the bootloader showed of itself; the lesson is worth nothing for another one.
    public let bootloader: String
    /// The procedure's numbers by name.
    public let values: [String: Int]

    /// A lesson with the given content.
    public init(bootloader: String, values: [String: Int]) {
        self.bootloader = bootloader
        self.values = values
    }
}

extension Lesson: CustomStringConvertible {
    /// The same words for the same lesson.
    public var description: String {
        let numbers = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(bootloader): " + numbers.joined(separator: ", ")
    }
}
