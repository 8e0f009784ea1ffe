/// The attribute protocol's opcodes (Vol 3, Part F, 3.4.8). Open: a peer may send any byte.
struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let errorResponse = ATTOpcode(rawValue: 0x01)
    static let exchangeMTURequest = ATTOpcode(rawValue: 0x02)
    static let exchangeMTUResponse = ATTOpcode(rawValue: 0x03)
    static let findInformationRequest = ATTOpcode(rawValue: 0x04)
    static let findInformationResponse = ATTOpcode(rawValue: 0x05)
    static let findByTypeValueRequest = ATTOpcode(rawValue: 0x06)
    static let readByTypeRequest = ATTOpcode(rawValue: 0x08)
    static let readByTypeResponse = ATTOpcode(rawValue: 0x09)
    static let readRequest = ATTOpcode(rawValue: 0x0A)
    static let readResponse = ATTOpcode(rawValue: 0x0B)
    static let readBlobRequest = ATTOpcode(rawValue: 0x0C)
    static let readBlobResponse = ATTOpcode(rawValue: 0x0D)
    static let readByGroupTypeRequest = ATTOpcode(rawValue: 0x10)
    static let readByGroupTypeResponse = ATTOpcode(rawValue: 0x11)
    static let writeRequest = ATTOpcode(rawValue: 0x12)
    static let writeResponse = ATTOpcode(rawValue: 0x13)
    static let notification = ATTOpcode(rawValue: 0x1B)
    static let indication = ATTOpcode(rawValue: 0x1D)
    static let confirmation = ATTOpcode(rawValue: 0x1E)
    static let multipleNotification = ATTOpcode(rawValue: 0x23)
    static let writeCommand = ATTOpcode(rawValue: 0x52)

    /// Bit 6: a command, known or not, which is never answered.
    var isCommand: Bool { rawValue & 0x40 != 0 }

    /// A request, known or not, needs an answer. Requests have even opcodes; of the other packets to a client,
    /// only the confirmation has one.
    var isRequest: Bool { !isCommand && self != .confirmation && rawValue.isMultiple(of: 2) }
}
