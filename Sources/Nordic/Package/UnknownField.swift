/// A field of an init packet that is not in the public schema; kept, because it is signed too.
public struct UnknownField: Hashable, Sendable {
    /// The enclosing message, such as `InitCommand`.
    public let message: String
    /// Its protobuf number.
    public let number: Int
    /// Offset of the field from the start of the packet, in bytes.
    public let offset: Int
    /// The bytes of its value, without tag and length.
    public let bytes: [UInt8]
}
