/// Why a server refuses a request (Core, Vol 3, Part F, 3.4.1.1).
struct AttributeRefusal: Error, Hashable, Sendable {
    /// The code in the error response.
    let code: UInt8
    /// The attribute that caused the error; 0 for none.
    let handle: UInt16

    init(_ code: UInt8, at handle: UInt16 = 0) {
        self.code = code
        self.handle = handle
    }

    static let invalidHandle: UInt8 = 0x01
    static let readNotPermitted: UInt8 = 0x02
    static let writeNotPermitted: UInt8 = 0x03
    static let malformed: UInt8 = 0x04
    static let insufficientAuthentication: UInt8 = 0x05
    static let notSupported: UInt8 = 0x06
    static let invalidOffset: UInt8 = 0x07
    static let insufficientAuthorization: UInt8 = 0x08
    static let notFound: UInt8 = 0x0A
    static let invalidLength: UInt8 = 0x0D
    static let unsupportedGroup: UInt8 = 0x10
    static let configurationImproper: UInt8 = 0xFD
}
