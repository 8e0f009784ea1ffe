import Bytes

/// An error in a frame, with its position.
public struct FrameError: Error, Hashable, Sendable {
    /// The kind of frame that was expected.
    public let frame: FrameKind
    /// The field's name.
    public let field: String
    /// Bytes from the first one after the company or the UUID to the field.
    public let offset: Int
    /// The error, in words.
    public let problem: String

    /// An error in `field`, which begins at `offset`.
    public init(frame: FrameKind, field: String, offset: Int, problem: String) {
        self.frame = frame
        self.field = field
        self.offset = offset
        self.problem = problem
    }

    init(_ frame: FrameKind, _ error: ByteError) {
        let problem =
            if case .truncated(let needed, let available) = error.reason {
                "\(needed) bytes needed, \(available) left"
            } else {
                error.description
            }
        self.init(frame: frame, field: error.field, offset: error.offset, problem: problem)
    }
}

extension FrameError: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(frame.rawValue): \(field) at offset \(offset): \(problem)" }
}
