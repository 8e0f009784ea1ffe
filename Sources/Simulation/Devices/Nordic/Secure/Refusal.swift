/// A refusal of a request, as the result bytes of a response.
public struct Refusal: Error, Hashable, Sendable {
    /// The result code.
    public let code: ResultCode
    /// The extended code; present exactly if `code` announces it.
    public let extended: ExtendedCode?

    /// A refusal with a plain result code.
    public init(_ code: ResultCode) {
        self.code = code
        extended = nil
    }

    /// A refusal with an extended code.
    public init(_ extended: ExtendedCode) {
        code = .extendedError
        self.extended = extended
    }

    /// The bytes after `60 op`: one, or two with an extended code.
    public var bytes: [UInt8] { [code.rawValue] + (extended.map { [$0.rawValue] } ?? []) }
}
