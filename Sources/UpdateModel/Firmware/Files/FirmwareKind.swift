/// A kind of firmware file, and of the updates that install it, by its name in JSON output and in catalogues.
/// Each vendor declares its own.
public struct FirmwareKind: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// The kind of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension FirmwareKind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
