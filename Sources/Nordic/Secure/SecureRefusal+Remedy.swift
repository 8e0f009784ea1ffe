import Bytes
import UpdateModel

/// Advice for a refusal of this particular image; `explain` has the general advice.
extension SecureRefusal {
    /// Nil if there is nothing to add to the code's general advice.
    func remedy(of request: SecureRequest, for image: SecureImage) -> Advice? {
        if result == Self.extendedError { return extendedRemedy(image) }
        switch (result, request) {
        case (Self.invalidObject, .execute(.command, _)) where image.isSigned:
            return
                "use a package signed for this product; \(task: .validate, .publicKey, "FILE") checks the key of its "
                + "signature. Bootloaders up to SDK 15.0 also refuse init commands of more than 127 bytes like this: "
                + "build without boot validation by signature for those"
        case (Self.invalidObject, .execute(.data, isLast: true)) where image.role.carriesSoftDevice:
            return
                "a SoftDevice of another family or major version can only be installed together with a bootloader "
                + "for it: use a package that has both"
        case (0x04, _): return Self.space(image)
        default: return nil
        }
    }

    private func extendedRemedy(_ image: SecureImage) -> Advice? {
        switch extended {
        case 0x05 where image.role.carriesBootloader:
            "a bootloader accepts only a higher version than its own: build the package with \(.bootloaderVersion) "
                + "above the installed one, which is \(Self.text(image.firmwareVersion)) or higher"
        case 0x05:
            "build the package with \(.applicationVersion) at or above the installed version, which is higher than "
                + "\(Self.text(image.firmwareVersion)) (\(task: .info) shows it while the application runs), or "
                + "install a newer release"
        case 0x06:
            "use the package for this hardware; this one has hw_version \(Self.text(image.hardwareVersion)), stock "
                + "bootloaders have 52 on nRF52 and 51 on nRF51"
        case 0x07: Self.softDevices(image)
        case 0x0D: Self.space(image)
        default: nil
        }
    }

    private static func softDevices(_ image: SecureImage) -> Advice {
        let list = image.softDevices.filter { $0 != 0 }.map { id in
            let number = HexText.number(id, uppercase: true)
            return SoftDeviceNames.name(of: id).map { "\($0) (\(number))" } ?? number
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

    private static func space(_ image: SecureImage) -> Advice {
        image.role == .application
            ? "build an application of fewer than \(image.bytes.count) bytes; an application may use the space between "
                + "its start and the bootloader, less the size of the old one if both are kept"
            : "the \(image.bytes.count) bytes do not fit with the installed firmware: install a smaller application "
                + "first, then this package"
    }

    private static func text(_ version: UInt32?) -> String { version.map(String.init) ?? "(none)" }
}
