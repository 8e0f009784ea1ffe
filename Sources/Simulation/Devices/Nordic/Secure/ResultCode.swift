/// The result of a request: the code after `60 op` (nordic-secure.md, Refusals).
///
/// nRF5 SDK 17.1, `nrf_dfu_req_handler.h`.
public enum ResultCode: UInt8, Sendable {
    /// Success.
    case success = 0x01
    /// The opcode is unknown, or not part of the reduced protocol.
    case opcodeNotSupported = 0x02
    /// A size or parameter that is never valid.
    case invalidParameter = 0x03
    /// Not enough space.
    case insufficientResources = 0x04
    /// The object, the init packet or its signature is invalid.
    case invalidObject = 0x05
    /// The object type is unknown (SDK 12 to 14).
    case unsupportedType = 0x07
    /// The request is not valid in this state.
    case operationNotPermitted = 0x08
    /// An internal error of the device.
    case operationFailed = 0x0A
    /// An extended code follows.
    case extendedError = 0x0B
}
