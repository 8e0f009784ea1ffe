package import Bytes

package struct InitPacketError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case empty
        case bytes(ByteError.Reason)
        case wrongWireType(expected: Int, found: Int)
        case numberTooLarge(UInt64)
        case missing
        case repeated
        /// A field follows the init command; the bootloader would include it in the signed bytes.
        case afterInitCommand
        case bothKinds
        case noKind
        case unknownExtension(UInt32)
    }

    /// Offset of the field from the start of the packet, in bytes.
    package let offset: Int
    /// The field's path, such as `InitCommand.hash`.
    package let field: String
    package let reason: Reason

    package init(offset: Int, field: String, reason: Reason) {
        (self.offset, self.field, self.reason) = (offset, field, reason)
    }

    init(_ field: StaticString, at offset: Int, _ reason: Reason) {
        self.init(offset: offset, field: field.description, reason: reason)
    }

    init(_ error: ByteError) {
        self.init(offset: error.offset, field: error.field, reason: .bytes(error.reason))
    }
}

extension InitPacketError: CustomStringConvertible {
    package var description: String {
        let place = "\(field) at offset \(offset)"
        switch reason {
        case .empty: return "the init packet is empty"
        case .bytes(let reason): return ByteError(offset: offset, field: field, reason: reason).description
        case .wrongWireType(let expected, let found):
            return "\(place): protobuf wire type \(expected) expected, \(found) found"
        case .numberTooLarge(let number): return "\(place): \(number) does not fit 32 bits"
        case .missing: return "\(place): is missing"
        case .repeated: return "\(place): occurs twice"
        case .afterInitCommand: return "\(place): follows the init command, which has to be the last field"
        case .bothKinds: return "\(place): the packet has both a plain and a signed command"
        case .noKind: return "\(place): the packet has neither a plain nor a signed command"
        case .unknownExtension(let id): return "\(place): extension \(id) is unknown"
        }
    }
}
