import Bytes
import UpdateModel

/// A result code and, with result 0B, its extended code (nordic-secure.md, Refusals).
struct SecureRefusal: Equatable, Sendable {
    let result: UInt8
    let extended: UInt8?

    static let invalidParameter: UInt8 = 0x03
    static let operationNotPermitted: UInt8 = 0x08
    static let operationFailed: UInt8 = 0x0A
    static let invalidObject: UInt8 = 0x05
    static let extendedError: UInt8 = 0x0B

    /// Possible responses to the init packet of a system part that is already installed. SDK 12 has only one
    /// response.
    static let perhapsInstalled: Set<FailureCode> = [
        .device.firmwareVersionTooLow, .nordicRefusal.softdeviceMismatch,
        .nordicRefusal.operationFailed,
    ]

    static let imageHashMismatch = FailureCode.device.imageHashMismatch

    /// Whether the image in flash differs from the one sent: 0C, or 05 from a bootloader without boot validation.
    func isOfFlash(onOldTarget isOld: Bool) -> Bool {
        result == Self.extendedError && extended == 0x0C || result == Self.invalidObject && isOld
    }

    /// The failure for an image that flash did not hold, whatever code the bootloader uses for it.
    func failureOfFlash(_ request: SecureRequest, for image: SecureImage) -> UpdateFailure {
        SecureRefusal(result: Self.extendedError, extended: 0x0C).failure(of: request, for: image)
    }

    /// The failure with its stable code and the cause, for a refusal of `request` during an update with `image`.
    func failure(of request: SecureRequest, for image: SecureImage) -> UpdateFailure {
        let (code, cause) = result == Self.extendedError ? extendedCause(image) : cause(of: request, image)
        return UpdateFailure(
            code, during: request.step, message: "\(cause) (\(number))",
            remedy: remedy(of: request, for: image))
    }

    private var number: String {
        func hex(_ byte: UInt8) -> String { HexText.digits(byte, uppercase: true) }
        guard result == Self.extendedError, let extended else { return "result \(hex(result))" }
        return "result \(hex(result)), extended error \(hex(extended))"
    }

    private func cause(of request: SecureRequest, _ image: SecureImage) -> (FailureCode, String) {
        switch (result, request) {
        case (0x02, _): (.nordicRefusal.opcodeNotSupported, "the bootloader does not know this request")
        case (0x03, _):
            (.nordicRefusal.invalidParameter, "the bootloader does not accept a parameter of this request")
        case (0x04, .create(.command, _)):
            (.nordicRefusal.insufficientResources, "the init packet is longer than the bootloader accepts")
        case (0x04, _):
            (
                .nordicRefusal.insufficientResources,
                "the image of \(image.bytes.count) bytes does not fit the flash"
            )
        case (0x05, .execute(.command, _)) where image.isSigned:
            (
                .nordicRefusal.signatureInvalid,
                "the bootloader does not accept the signature, so it holds another key (or cannot read the packet)"
            )
        case (0x05, .execute(.command, _)):
            (.nordicRefusal.initPacketRefused, "the bootloader could not read the init packet")
        case (0x05, .execute(.data, isLast: true)):
            (.nordicRefusal.bootValidationFailed, "the image does not pass the bootloader's boot validation")
        case (0x05, .create(.data, _)):
            (.nordicRefusal.flashBusy, "the bootloader could not start to erase flash")
        case (0x05, _): (.nordicRefusal.invalidObject, "the bootloader has no such object")
        case (0x07, _): (.nordicRefusal.invalidObject, "the bootloader does not know this type of object")
        case (0x08, _):
            (.nordicRefusal.operationNotPermitted, "the bootloader is not in the state for this request")
        case (0x0A, .execute(.command, _)):
            (
                .nordicRefusal.operationFailed,
                "the bootloader refused the init packet: a debug package, a version or SoftDevice that does not "
                    + "fit, or a signature of wrong length"
            )
        case (0x0A, _): (.nordicRefusal.operationFailed, "the bootloader's flash or cryptography failed")
        default: (.nordicRefusal.unknownResult, "the bootloader refused for an undocumented reason")
        }
    }

    private func extendedCause(_ image: SecureImage) -> (FailureCode, String) {
        switch extended {
        case 0x02: (.nordicRefusal.initPacketInvalid, "the bootloader reports an invalid init packet format")
        case 0x03 where !image.isSigned:
            (
                .nordicRefusal.signatureMissing,
                "the bootloader requires a signed package, but this one is not signed"
            )
        case 0x03:
            (.nordicRefusal.initPacketInvalid, "the bootloader does not know the init packet's command")
        case 0x04: (.nordicRefusal.initPacketInvalid, "a field of the init packet is missing or wrong")
        case 0x05:
            (
                .device.firmwareVersionTooLow,
                "the package's firmware version \(text(image.firmwareVersion)) is "
                    + (image.role.carriesBootloader ? "not higher" : "lower") + " than the installed one"
            )
        case 0x06:
            (
                .device.hardwareVersionMismatch,
                "the package is for hardware \(text(image.hardwareVersion)), which is not the beacon's"
            )
        case 0x07:
            (
                .nordicRefusal.softdeviceMismatch,
                "the beacon's SoftDevice is not in the package's list (\(softDevices(image)))"
            )
        case 0x08:
            (
                .nordicRefusal.signatureMissing,
                "the bootloader requires a signed package, but this one is not signed"
            )
        case 0x09:
            (.nordicFile.hashTypeUnsupported, "the bootloader does not know the init packet's hash type")
        case 0x0A: (.nordicRefusal.hashFailed, "the bootloader could not compute the image's hash")
        case 0x0B:
            (.nordicRefusal.signatureTypeUnsupported, "the bootloader does not know the signature's type")
        case 0x0C:
            (
                Self.imageHashMismatch,
                "the image in the beacon's flash does not match the hash in the init packet"
            )
        case 0x0D:
            (.device.insufficientSpace, "the image of \(image.bytes.count) bytes does not fit the flash")
        default: (.nordicRefusal.unknownResult, "the bootloader refused for an undocumented reason")
        }
    }

    private func text(_ version: UInt32?) -> String { version.map(String.init) ?? "(none)" }

    private func softDevices(_ image: SecureImage) -> String {
        image.softDevices.map { HexText.number($0, uppercase: true) }.joined(separator: ", ")
    }
}

/// One part of a package as sent: init packet first, then the image.
package struct SecureImage: Equatable, Sendable {
    package let initPacket: [UInt8]
    package let bytes: [UInt8]
    package let role: FirmwareRole
    package let isSigned: Bool
    /// The version in the init packet, for error messages.
    package let firmwareVersion: UInt32?
    package let hardwareVersion: UInt32?
    package let softDevices: [UInt32]

    package init(
        initPacket: [UInt8], bytes: [UInt8], role: FirmwareRole = .application, isSigned: Bool,
        firmwareVersion: UInt32?, hardwareVersion: UInt32?, softDevices: [UInt32]
    ) {
        self.initPacket = initPacket
        self.bytes = bytes
        self.role = role
        self.isSigned = isSigned
        self.firmwareVersion = firmwareVersion
        self.hardwareVersion = hardwareVersion
        self.softDevices = softDevices
    }
}
