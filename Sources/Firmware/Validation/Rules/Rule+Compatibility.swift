import UpdateModel

extension Rule {
    /// Rules about an init packet's requirements for devices.
    static let initPacketRules = [
        compatibility(
            "hash-type-unsupported", .error,
            "Bootloaders take SHA-256 only and refuse the init packet (0B 09)."),
        compatibility("hardware-version-missing", .error, "Bootloaders refuse the init packet (0B 04)."),
        compatibility(
            "firmware-version-missing", .error,
            "Bootloaders that compare versions refuse the init packet (0B 04)."),
        compatibility("sd-req-missing", .error, "Beacons with a SoftDevice refuse the package (0B 07)."),
        compatibility(
            "sd-req-too-long", .error,
            "Bootloaders cannot read more than 16 ids and refuse the init packet (05)."),
        compatibility(
            "sd-req-unknown", .note, "A mistyped id makes every beacon refuse the package (0B 07)."),
        compatibility(
            "boot-validation-too-long", .error, "Bootloaders cannot read more than three entries (05)."),
        compatibility(
            "init-command-long", .note,
            "Bootloaders of SDK 12 to 15.0 strip one length byte only and find the signature wrong (05)."),
        compatibility(
            "image-not-aligned", .warning,
            "Flash is written in words of 4 bytes; old bootloaders answer 03 at the end."),
        compatibility(
            "softdevice-not-listed", .error,
            "The device takes the SoftDevice, refuses the application, and is left without one."),
        compatibility(
            "softdevice-unrecognised", .error,
            "The device takes the whole image and refuses it: it has no magic number."),
        compatibility(
            "application-is-softdevice", .error,
            "The whole merged file is installed where only its second half belongs."),
        compatibility(
            "hash-length-wrong", .error, "Bootloaders compare 32 bytes and find the image wrong (0B 0C)."),
        compatibility(
            "sd-req-wildcard", .error,
            "Release bootloaders support no wildcard and refuse the package (0B 07)."),
        compatibility(
            "sd-req-leading-zero", .error, "Bootloaders of SDK 15.3 and later refuse the package (0B 07)."),
        compatibility(
            "sd-req-too-large", .error, "No SoftDevice has such an id, so every beacon refuses it (0B 07)."),
        compatibility(
            "sd-req-none", .note, "Bootloaders of SDK 14 with a SoftDevice refuse the package (0B 07)."),
        compatibility(
            "boot-validation-unknown", .error, "The beacon takes the whole image and refuses it (05)."),
        compatibility(
            "boot-validation-length-wrong", .error, "The beacon takes the whole image and refuses it (05)."),
        compatibility(
            "boot-validation-invalid", .error, "The beacon takes the whole image and refuses it (05)."),
        compatibility(
            "boot-validation-misplaced", .warning,
            "SDK 15.3 and 16 check the signature against the bootloader too (05)."),
    ]

    /// Rules about the devices that can take a file.
    static let compatibilityRules = [
        compatibility("parts-conflict", .error, "No bootloader can install these parts together."),
        compatibility(
            "mcuboot-package", .error,
            "A beacon with Nordic's nRF5 bootloader cannot take a package for MCUboot."),
        compatibility(
            "unsupported-file", .error,
            "A login page or a linker's output reaches the bench as firmware."),
        compatibility(
            "unsupported-container-version", .error,
            "A container of a later version has fields that receivers misread."),
        compatibility(
            "image-encrypted", .warning,
            "Only a bootloader with this key starts it; any other keeps the old image."),
        compatibility("payload-encrypted", .note, "Only the vendor's own tool can flash it."),
        compatibility(
            "image-exceeds-flash", .error,
            "Receivers answer with status 0x13, or overwrite what follows the bank."),
        compatibility(
            "image-exceeds-small-flash", .note, "A module with 1 Mbit of flash answers with status 0x13."),
        compatibility(
            "model-missing", .warning, "A file that fits every model may be sent to the wrong one."),
        compatibility("model-unknown", .warning, "A mistyped model number fits no beacon."),
        compatibility(
            "model-ambiguous", .note, "A module may get a beacon's firmware: both have this number."),
        compatibility(
            "model-mismatch", .error, "No beacon has this number with this name, so none takes the file."),
        compatibility(
            "image-fills-bank", .warning,
            "Receivers erase one sector too many: the product header, in some layouts."),
        compatibility(
            "firmware-version-too-low", .error,
            "The target refuses the package (0B 05): its version is too low, or a bootloader's is not higher."
        ),
        compatibility(
            "hardware-version-mismatch", .error,
            "The target refuses the package (0B 06): it is for other hardware."),
        compatibility(
            "softdevice-mismatch", .error,
            "The target refuses the package (0B 07): its SoftDevice is not in the list."),
        compatibility(
            "insufficient-space", .error,
            "The target refuses the package (04, or status 0x13): it does not fit."),
        compatibility("debug-refused", .error, "The target's bootloader takes no debug packages (0A)."),
        compatibility(
            "init-packet-invalid", .error,
            "The target's bootloader refuses a field of the init packet (0B 04)."),
        compatibility("wrong-device", .error, "The file is for another model than the target."),
        compatibility(
            "wrong-family", .error, "The image is for another family of chips than the target (status 0x12)."),
        compatibility(
            "bootloader-version-too-low", .error, "The target's bootloader is older than the file requires."),
        compatibility(
            "installed-version-too-low", .error, "The target needs an intermediate version first."
        ),
        compatibility("downgrade", .error, "The target would be downgraded to an earlier version."),
        compatibility(
            "target-up-to-date", .error, "The target has this version already; nothing would be installed."),
        compatibility(
            "target-undecided", .warning,
            "Whether the target takes the file depends on facts that were not given."),
    ]

    private static func compatibility(_ id: String, _ level: FindingLevel, _ prevents: String) -> Rule {
        Rule(id, .compatibility, level, prevents)
    }
}
