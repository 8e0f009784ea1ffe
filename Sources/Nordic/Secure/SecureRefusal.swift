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

    /// The possible refusals of a system part's init packet if the part is installed already; SDK 12 sends only 0A.
    static let perhapsInstalled: Set<FailureCode> = [
        .device.firmwareVersionTooLow, .nordicRefusal.softdeviceMismatch, .nordicRefusal.operationFailed,
    ]

    /// Whether the image in flash differs from the one sent: 0B 0C, or 05 from an old target, which has no boot validation.
    func isFlashMismatch(onOldTarget isOld: Bool) -> Bool {
        result == Self.extendedError && extended == 0x0C || result == Self.invalidObject && isOld
    }

    /// The failure for an image in flash that differs from the one sent, whatever code the bootloader uses for it.
    func flashMismatchFailure(of request: SecureRequest, for image: SecureImage) -> UpdateFailure {
        SecureRefusal(result: Self.extendedError, extended: 0x0C).failure(of: request, for: image)
    }

    /// The failure with its stable code and the cause, for a refusal of `request` during an update with `image`.
    func failure(of request: SecureRequest, for image: SecureImage) -> UpdateFailure {
        let cause = result == Self.extendedError ? extendedCause(image) : cause(of: request, image)
        return cause.failure(during: request.step, number)
    }

    private var number: String {
        func hex(_ byte: UInt8) -> String { HexText.digits(byte, uppercase: true) }
        guard result == Self.extendedError, let extended else { return "result \(hex(result))" }
        return "result \(hex(result)), extended error \(hex(extended))"
    }

    private func cause(of request: SecureRequest, _ image: SecureImage) -> RefusalCause {
        switch (result, request) {
        case (0x02, _): .init(.nordicRefusal.opcodeNotSupported, "the bootloader does not know this request")
        case (0x03, _):
            .init(
                .nordicRefusal.invalidParameter, "the bootloader does not accept a parameter of this request")
        case (0x04, .create(.command, _)):
            .init(
                .nordicRefusal.insufficientResources, "the init packet is longer than the bootloader accepts",
                Self.spaceAdvice(image))
        case (0x04, _):
            .init(
                .nordicRefusal.insufficientResources,
                "the image of \(image.bytes.count) bytes does not fit the flash", Self.spaceAdvice(image))
        case (0x05, .execute(.command, _)) where image.isSigned:
            .init(
                .nordicRefusal.signatureInvalid,
                "the bootloader does not accept the signature, so it holds another key (or cannot read the packet)",
                "use a package signed for this product; \(task: .validate, .publicKey, "KEY") checks the key of its "
                    + "signature" + Self.lengthAdvice(image))
        case (0x05, .execute(.command, _)):
            .init(.nordicRefusal.initPacketRefused, "the bootloader could not read the init packet")
        case (0x05, .execute(.data, isLast: true)):
            .init(
                .nordicRefusal.bootValidationFailed,
                "the image does not pass the bootloader's boot validation",
                image.role.carriesSoftDevice
                    ? "a SoftDevice of another family or major version can only be installed together with a "
                        + "bootloader for it: use a package that has both" : nil)
        case (0x05, .create(.data, _)):
            .init(.nordicRefusal.flashBusy, "the bootloader could not start to erase flash")
        case (0x05, _): .init(.nordicRefusal.invalidObject, "the bootloader has no such object")
        case (0x07, _):
            .init(.nordicRefusal.invalidObject, "the bootloader does not know this type of object")
        case (0x08, _):
            .init(.nordicRefusal.operationNotPermitted, "the bootloader is not in the state for this request")
        case (0x0A, .execute(.command, _)):
            .init(
                .nordicRefusal.operationFailed,
                "the bootloader refused the init packet: a debug package, a version or SoftDevice that does not "
                    + "fit, or a signature of wrong length")
        case (0x0A, _): .init(.nordicRefusal.operationFailed, "the bootloader's flash or cryptography failed")
        default: .undocumented
        }
    }

    private func extendedCause(_ image: SecureImage) -> RefusalCause {
        switch extended {
        case 0x02:
            .init(.nordicRefusal.initPacketInvalid, "the bootloader reports an invalid init packet format")
        case 0x03 where image.isSigned:
            .init(.nordicRefusal.initPacketInvalid, "the bootloader does not know the init packet's command")
        case 0x03, 0x08:
            .init(
                .nordicRefusal.signatureMissing,
                "the bootloader requires a signed package, but this one is not signed")
        case 0x04: .init(.nordicRefusal.initPacketInvalid, "a field of the init packet is missing or wrong")
        case 0x05: Self.versionCause(image)
        case 0x06:
            .init(
                .device.hardwareVersionMismatch,
                "the package is for hardware \(Self.text(image.hardwareVersion)), which is not the beacon's",
                "use the package for this hardware; this one has hw_version \(Self.text(image.hardwareVersion)), "
                    + "stock bootloaders have 52 on nRF52 and 51 on nRF51")
        case 0x07:
            .init(
                .nordicRefusal.softdeviceMismatch,
                "the beacon's SoftDevice is not in the package's list ("
                    + image.softDevices.map(\.hex).joined(separator: ", ") + ")", Self.softDeviceAdvice(image)
            )
        case 0x09:
            .init(.nordicFile.hashTypeUnsupported, "the bootloader does not know the init packet's hash type")
        case 0x0A: .init(.nordicRefusal.hashFailed, "the bootloader could not compute the image's hash")
        case 0x0B:
            .init(
                .nordicRefusal.signatureTypeUnsupported, "the bootloader does not know the signature's type")
        case 0x0C:
            .init(
                .device.imageHashMismatch,
                "the image in the beacon's flash does not match the hash in the init packet")
        case 0x0D:
            .init(
                .device.insufficientSpace, "the image of \(image.bytes.count) bytes does not fit the flash",
                Self.spaceAdvice(image))
        default: .undocumented
        }
    }

    private static func versionCause(_ image: SecureImage) -> RefusalCause {
        let version = text(image.firmwareVersion)
        func cause(_ rule: String, _ remedy: Advice) -> RefusalCause {
            RefusalCause(
                .device.firmwareVersionTooLow,
                "the package's firmware version \(version) is \(rule) than the installed one", remedy)
        }
        return image.role.carriesBootloader
            ? cause(
                "not higher",
                "a bootloader accepts only a higher version than its own: build the package with "
                    + "\(.bootloaderVersion) above the installed one, which is \(version) or higher")
            : cause(
                "lower",
                "build the package with \(.applicationVersion) at or above the installed version, which is higher "
                    + "than \(version) (\(task: .info) shows it while the application runs), or install a newer "
                    + "release")
    }

    private static func softDeviceAdvice(_ image: SecureImage) -> Advice {
        let list = image.softDevices.filter { $0 != 0 }.map { id in
            SoftDeviceNames.name(of: id).map { "\($0) (\(id.hex))" } ?? id.hex
        }
        guard !list.isEmpty else {
            return "build the package with \(.softDevices) naming the SoftDevice on the unit"
        }
        let names = list.joined(separator: " or ")
        return image.role.isSystem
            ? "this update requires \(names): use a package for the SoftDevice on the unit, or build "
                + "it with that SoftDevice in \(.softDevices)"
            : "first bring the unit to \(names), with a package that has SoftDevice and application, or use an "
                + "application built for the SoftDevice on the unit"
    }

    private static func spaceAdvice(_ image: SecureImage) -> Advice {
        image.role == .application
            ? "build an application of fewer than \(image.bytes.count) bytes; an application may use the space between "
                + "its start and the bootloader, less the size of the old one if both are kept"
            : "the \(image.bytes.count) bytes do not fit with the installed firmware: install a smaller application "
                + "first, then this package"
    }

    /// Advice on an init command that is too long for old bootloaders; empty for others.
    private static func lengthAdvice(_ image: SecureImage) -> Advice {
        let most = BootloaderGeneration.sdk15.signedLimit
        guard let packet = try? InitPacket(parsing: image.initPacket), packet.signedBytes.count > most else {
            return ""
        }
        return
            ". Bootloaders up to SDK 15.0 also refuse its init command like this, because it has more than "
            + "\(most) bytes: build without boot validation by signature for those"
    }

    private static func text(_ version: UInt32?) -> String { version.map(String.init) ?? "(none)" }
}
