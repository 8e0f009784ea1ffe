/// The third byte of a response (nRF5 SDK 11, `ble_dfu.h`).
public enum LegacyStatus: UInt8, Error, Hashable, Sendable {
    /// Success.
    case success = 1
    /// The request is not valid in this state.
    case invalidState = 2
    /// The request or its parameter is not supported.
    case notSupported = 3
    /// A size exceeds its limit.
    case sizeExceedsLimit = 4
    /// The image does not match the init packet.
    case checksumError = 5
    /// Any other error.
    case operationFailed = 6
}
