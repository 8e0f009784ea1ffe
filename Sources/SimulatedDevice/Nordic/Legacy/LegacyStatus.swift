/// The third byte of an answer (nRF5 SDK 11, `ble_dfu.h`).
public enum LegacyStatus: UInt8, Error, Hashable, Sendable {
    /// Done.
    case success = 1
    /// Not now.
    case invalidState = 2
    /// Not this.
    case notSupported = 3
    /// Too much.
    case sizeExceedsLimit = 4
    /// The image is not what the init packet says.
    case checksumError = 5
    /// Anything else.
    case operationFailed = 6
}
