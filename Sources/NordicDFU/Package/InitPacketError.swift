public import ByteCoding

/// Why an init packet cannot be read: what was wrong, where, and in which field.
public struct InitPacketError: Error, Equatable, Sendable {
    /// What was wrong.
    public enum Reason: Equatable, Sendable {
        /// There are no bytes at all.
        case empty
        /// The bytes end early, or go on too long.
        case bytes(ByteError.Reason)
        /// The field is encoded as another kind of value (protobuf wire types).
        case wrongWireType(expected: Int, found: Int)
        /// The number does not fit the 32 bits of the field.
        case numberTooLarge(UInt64)
        /// A field that bootloaders insist on is not there.
        case missing
        /// A field that may stand once stands twice.
        case repeated
        /// A field follows the init command, so the bootloader would take it for signed bytes.
        case afterInitCommand
        /// The packet holds a plain and a signed command.
        case bothKinds
        /// The packet holds neither a plain nor a signed command.
        case noKind
        /// A Legacy init packet goes on with an extension that no generation has.
        case unknownExtension(UInt32)
        /// The protobuf library sees what the walk before it did not.
        case undecodable
    }

    /// Bytes from the start of the packet to the field.
    public let offset: Int
    /// The field with its message, as in `InitCommand.hash`.
    public let field: String
    /// What was wrong.
    public let reason: Reason

    /// An error in `field`, which starts at `offset`.
    public init(offset: Int, field: String, reason: Reason) {
        self.offset = offset
        self.field = field
        self.reason = reason
    }

    init(_ error: ByteError) {
        self.init(offset: error.offset, field: error.field, reason: .bytes(error.reason))
    }
}

extension InitPacketError: CustomStringConvertible {
    /// One line for people: the field, its offset and the reason.
    public var description: String {
        let place = "\(field) at offset \(offset)"
        switch reason {
        case .empty: return "the init packet is empty"
        case .bytes(let reason):
            return ByteError(offset: offset, field: field, reason: reason).description
        case .wrongWireType(let expected, let found):
            return "\(place): protobuf wire type \(expected) expected, \(found) found"
        case .numberTooLarge(let number): return "\(place): \(number) does not fit 32 bits"
        case .missing: return "\(place): is missing"
        case .repeated: return "\(place): occurs twice"
        case .afterInitCommand: return "\(place): follows the init command, which has to be the last field"
        case .bothKinds: return "\(place): the packet has both a plain and a signed command"
        case .noKind: return "\(place): the packet has neither a plain nor a signed command"
        case .unknownExtension(let id): return "\(place): extension \(id) is not known"
        case .undecodable: return "\(place): cannot be decoded"
        }
    }
}
