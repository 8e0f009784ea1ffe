/// The second byte of an extended error, after `60 op 0B` (nordic-secure.md, Refusals).
///
/// nRF5 SDK 17.1, `nrf_dfu_handling_error.h`.
public enum ExtendedCode: UInt8, Sendable {
    /// No handler for this command: the response of SDK 13 and 14 to an unsigned packet.
    case unknownCommand = 0x03
    /// A field of the init command is missing or invalid.
    case initCommandInvalid = 0x04
    /// The firmware's version is too low.
    case versionTooLow = 0x05
    /// The init packet is for another hardware version.
    case hardwareMismatch = 0x06
    /// The installed SoftDevice is not among the required ones.
    case softDeviceMismatch = 0x07
    /// A required signature is missing.
    case signatureMissing = 0x08
    /// The hash is not SHA-256.
    case hashTypeUnsupported = 0x09
    /// The signature is not ECDSA over P-256.
    case signatureTypeWrong = 0x0B
    /// The hash of the image does not match the init packet.
    case verificationFailed = 0x0C
}
