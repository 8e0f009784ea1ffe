/// An opcode of the attribute protocol (Vol 3, Part F, 3.4.8). Not an enumeration, since a peer may send any byte.
struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let errorResponse = ATTOpcode(rawValue: 0x01)
    static let exchangeMTURequest = ATTOpcode(rawValue: 0x02)
    static let exchangeMTUResponse = ATTOpcode(rawValue: 0x03)
    static let findInformationRequest = ATTOpcode(rawValue: 0x04)
    static let findByTypeValueRequest = ATTOpcode(rawValue: 0x06)
    static let readByTypeRequest = ATTOpcode(rawValue: 0x08)
    static let readRequest = ATTOpcode(rawValue: 0x0A)
    static let readBlobRequest = ATTOpcode(rawValue: 0x0C)
    static let readByGroupTypeRequest = ATTOpcode(rawValue: 0x10)
    static let writeRequest = ATTOpcode(rawValue: 0x12)
    static let notification = ATTOpcode(rawValue: 0x1B)
    static let indication = ATTOpcode(rawValue: 0x1D)
    static let confirmation = ATTOpcode(rawValue: 0x1E)
    static let multipleNotification = ATTOpcode(rawValue: 0x23)
    static let writeCommand = ATTOpcode(rawValue: 0x52)

    /// Whether bit 6 is set, which marks a command: it is never answered, even if it is unknown.
    var isCommand: Bool { rawValue & 0x40 != 0 }

    /// Whether this is a request, known or not, which needs an answer. Requests have even opcodes; all other packets
    /// have odd ones, except commands and the confirmation.
    var isRequest: Bool { !isCommand && self != .confirmation && rawValue.isMultiple(of: 2) }
}
