/// A field of an init packet that the public schema does not have; kept, because it is signed too.
public struct UnknownField: Hashable, Sendable {
    /// The message that it stands in, as in `InitCommand`.
    public let message: String
    /// Its protobuf number.
    public let number: Int
    /// Bytes from the start of the packet to the field.
    public let offset: Int
    /// The bytes of its value, without tag and length.
    public let bytes: [UInt8]
}
