/// Why a request is refused, as the result bytes of an answer carry it.
public struct Refusal: Error, Hashable, Sendable {
    /// The result code.
    public let code: ResultCode
    /// The extended code, there exactly when `code` announces it.
    public let extended: ExtendedCode?

    /// A refusal by a plain result code.
    public init(_ code: ResultCode) {
        self.code = code
        extended = nil
    }

    /// A refusal by an extended code.
    public init(_ extended: ExtendedCode) {
        code = .extendedError
        self.extended = extended
    }

    /// What follows `60 op`: one byte, or two with an extended code.
    public var bytes: [UInt8] { [code.rawValue] + (extended.map { [$0.rawValue] } ?? []) }
}
