/// How a bootloader answers a request: the code after `60 op` (nordic-secure.md, Refusals).
///
/// nRF5 SDK 17.1, `nrf_dfu_req_handler.h`.
public enum ResultCode: UInt8, Sendable {
    /// Done.
    case success = 0x01
    /// The opcode is unknown, or left out of the reduced protocol.
    case opcodeNotSupported = 0x02
    /// A size or a parameter that can never be right.
    case invalidParameter = 0x03
    /// More than there is room for.
    case insufficientResources = 0x04
    /// The object, the init packet or its signature is wrong.
    case invalidObject = 0x05
    /// The object type is unknown (SDK 12 to 14).
    case unsupportedType = 0x07
    /// Not in this state.
    case operationNotPermitted = 0x08
    /// Something inside the device failed.
    case operationFailed = 0x0A
    /// An extended code follows.
    case extendedError = 0x0B
}
