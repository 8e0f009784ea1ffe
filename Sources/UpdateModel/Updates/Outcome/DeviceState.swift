public import Bluetooth

/// The state of a unit after a failed update, as far as known.
public struct DeviceState: Equatable, Sendable {
    public enum Program: String, Sendable {
        case application
        case bootloader
        /// Unknown since the last link: the unit was not heard, or is at an address that no rule predicts.
        case unknown
    }

    /// The state of the application that the unit had before the update.
    public enum Application: String, Sendable {
        /// It is unchanged and complete.
        case intact
        /// It was erased or overwritten, and no other application is complete.
        case gone
        /// It was replaced: the device has confirmed the new application, or runs it.
        case new
        /// One of the states above; the device does not report which.
        case unknown
    }

    public var program: Program
    /// The last known address of the unit.
    public var address: DeviceAddress
    public var application: Application
    /// The part being installed; the parts before it are installed, or were refused. Nil if there is only one.
    public var part: UpdatePart?
    /// Whether the new application is certainly not installed.
    public var isUnfinished: Bool
    /// The time without a request after which the bootloader restarts by itself, and starts the application if that
    /// is intact; nil if it does not, or if unknown.
    public var returnsAfter: Duration?

    public init(
        program: Program, address: DeviceAddress, application: Application, part: UpdatePart? = nil,
        isUnfinished: Bool = false, returnsAfter: Duration? = nil
    ) {
        (self.program, self.address, self.application) = (program, address, application)
        (self.part, self.isUnfinished, self.returnsAfter) = (part, isUnfinished, returnsAfter)
    }
}

extension DeviceState.Application {
    /// The state of an application that had this state before a part with `effect`; nil if the part changed nothing.
    public func followed(by effect: DeviceState.Application?) -> DeviceState.Application {
        switch (self, effect) {
        case (_, nil), (_, .intact): self
        case (_, .new): .new
        case (.gone, _), (_, .gone): .gone
        case (_, .unknown): .unknown
        }
    }
}

/// One of several parts of an update, which are installed one after the other.
public struct UpdatePart: Equatable, Sendable, CustomStringConvertible {
    /// The number of the part, from 1.
    public let number: Int
    public let count: Int
    public let title: String
    /// The numbers of earlier parts that were skipped, because the device has refused them; the others are installed.
    public let refused: [Int]
    /// The offset of its first byte in the update.
    public let start: Int

    public init(
        number: Int, of count: Int, title: String, refusing refused: [Int] = [], startingAt start: Int = 0
    ) {
        (self.number, self.count, self.title, self.refused) = (number, count, title, refused)
        self.start = start
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

    public var description: String { "part \(number) of \(count): \(title)" }
}
