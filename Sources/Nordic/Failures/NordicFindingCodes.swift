package import UpdateModel

package struct NordicFindingCodes: FailureCodeGroup {
    package static let topic = FailureTopic.findings

    package let unsigned = FailureCode(
        "unsigned", .done,
        "The init packet carries no signature. Stock bootloaders take signed packages only.",
        next: "sign the package, unless this product's bootloader was built to take unsigned ones",
        rule: .authenticity, .error,
        prevents: "Stock bootloaders refuse it (0B 08), and others install any image from anyone nearby.")
    package let firmwareVersionMissing = FailureCode(
        "firmware-version-missing", .done, "The init packet names no firmware version.",
        next: "build the package with \(.applicationVersion)", rule: .compatibility, .error,
        prevents: "Bootloaders that compare versions refuse the init packet (0B 04).")
    package let firmwareVersionFinal = FailureCode(
        "firmware-version-final", .done,
        "The firmware version is FFFFFFFF, the highest there is: no later application can be installed.",
        next: "build the application with an ordinary version number", rule: .policy, .error,
        prevents: "After FFFFFFFF no beacon ever takes another application: there is no higher version.")
    package let imageNotAligned = FailureCode(
        "image-not-aligned", .done, "The image's length is not a multiple of 4, the flash's word.",
        next: "pad the image with FF", rule: .compatibility, .warning,
        prevents: "Flash is written in words of 4 bytes; old bootloaders answer 03 at the end.")
    package let sdReqMissing = FailureCode(
        "sd-req-missing", .done, "The init packet names no SoftDevice; bootloaders with one refuse it.",
        next: "build the package with \(.softDevices)", rule: .compatibility, .error,
        prevents: "Beacons with a SoftDevice refuse the package (0B 07).")
    package let sdReqUnknown = FailureCode(
        "sd-req-unknown", .done, "The list of SoftDevices has an id that is in no public table.",
        next: "check that the id is intended; a test build's id is harmless", rule: .compatibility, .note,
        prevents: "A mistyped id makes every beacon refuse the package (0B 07).")
    package let signedWithDefaultKey = FailureCode(
        "signed-with-default-key", .done,
        "The key is the one that nrfutil's source contains for experiments. Anyone has it, so anyone can "
            + "make firmware that beacons with its public key accept.",
        next: "make a key with \(task: .makeKey), and build the bootloader with its public half",
        rule: .authenticity, .error,
        prevents: "nrfutil's key is public, so anyone nearby can install anything.")
    package let sdReqWildcard = FailureCode(
        "sd-req-wildcard", .done,
        "The list of SoftDevices has FFFE, nrfutil's default in debug mode. Only external applications may "
            + "have it; anywhere else it matches no SoftDevice, and release bootloaders refuse the package.",
        next: "build the package with \(.softDevices) and the SoftDevice that the beacon has",
        rule: .compatibility, .error,
        prevents: "Release bootloaders support no wildcard and refuse the package (0B 07).")
    package let sdReqTooLarge = FailureCode(
        "sd-req-too-large", .done, "The list of SoftDevices has a number of more than 16 bits.",
        next: "build the package with the ids that `nrfutil` or the SoftDevice's release notes name",
        rule: .compatibility, .error,
        prevents: "No SoftDevice has such an id, so every beacon refuses it (0B 07).")
    package let sdReqLeadingZero = FailureCode(
        "sd-req-leading-zero", .done,
        "The list of SoftDevices begins with 0, no SoftDevice needed, and the rest contradicts that. "
            + "Bootloaders of SDK 15.3 and later refuse it.",
        next: "list the installed SoftDevice first, without a 0", rule: .compatibility, .error,
        prevents: "Bootloaders of SDK 15.3 and later refuse the package (0B 07).")
    package let sdReqNone = FailureCode(
        "sd-req-none", .done,
        "The application is for hardware without a SoftDevice, or with any. SDK 15 accepts it; SDK 14 does "
            + "not if a SoftDevice is installed.",
        next: "list the installed SoftDevice for a package that every SDK takes", rule: .compatibility, .note,
        prevents: "Bootloaders of SDK 14 with a SoftDevice refuse the package (0B 07).")
    package let softdeviceNotListed = FailureCode(
        "softdevice-not-listed", .done,
        "The package installs a SoftDevice that its application does not list: the beacon takes the first "
            + "part, refuses the second, and is left without an application.",
        next: "build the package with \(.softDeviceIDs) and the id of the SoftDevice in it",
        rule: .compatibility, .error,
        prevents: "The device takes the SoftDevice, refuses the application, and is left without one.")
    package let softdeviceUnrecognised = FailureCode(
        "softdevice-unrecognised", .done,
        "The SoftDevice of the package lacks the structure by which bootloaders recognise one.",
        next: "give the SoftDevice's own .hex with \(.softDeviceFile)", rule: .compatibility, .error,
        prevents: "The device takes the whole image and refuses it: it has no magic number.")
    package let applicationIsSoftdevice = FailureCode(
        "application-is-softdevice", .done,
        "The application begins with a SoftDevice: perhaps a merged .hex was packed.",
        next: "give the application's own .hex with \(.applicationFile)", rule: .compatibility, .error,
        prevents: "The whole merged file is installed where only its second half belongs.")
    package let opCodeUnusual = FailureCode(
        "op-code-unusual", .done, "The command in the init packet is not INIT.",
        next: "no action is needed; bootloaders do not look at it", rule: .hygiene, .note,
        prevents: "A custom packager's command means something to another bootloader.")
    package let bootValidationMisplaced = FailureCode(
        "boot-validation-misplaced", .done,
        "The first boot validation of a SoftDevice with a bootloader is a signature. Bootloaders of SDK "
            + "15.3 and 16 check the bootloader with it too, and it cannot fit both.",
        next: "build without VALIDATE_ECDSA_P256_SHA256 for the SoftDevice, unless the beacons have SDK 17",
        rule: .compatibility, .warning,
        prevents: "SDK 15.3 and 16 check the signature against the bootloader too (05).")
    package let bootValidationBytes = FailureCode(
        "boot-validation-bytes", .done, "A boot validation has bytes that its type does not use.",
        next: "no action is needed; bootloaders make their own", rule: .hygiene, .note,
        prevents: "Bytes that are never read may hide a mistake of the packager.")
    package let metadataMismatch = FailureCode(
        "metadata-mismatch", .done, "The manifest records other values than the init packet.",
        next: "build the package again; bootloaders use the init packet", rule: .integrity, .warning,
        prevents:
            "Tools that split a SoftDevice with bootloader by the manifest split it in the wrong place.")
    package let debug = FailureCode(
        "debug", .done, "The package was built in nrfutil's debug mode.",
        next: "build the package for a release without \(.debugMode)", rule: .policy, .error,
        prevents: "Debug bootloaders skip the version checks, and release bootloaders of SDK 12 to 14 refuse "
            + "it (0A).")
    package let unknownField = FailureCode(
        "unknown-field", .done, "The init packet has a field that the public schema does not know.",
        next: "its packager is newer or custom; bootloaders skip such fields", rule: .hygiene, .note,
        prevents: "A custom packager's field means something to another bootloader.")
    package let initCommandLong = FailureCode(
        "init-command-long", .done,
        "The init command has more than 127 bytes; bootloaders of SDK 12 to 15.0 cannot check its signature.",
        next: "build without boot validation by signature for such bootloaders", rule: .compatibility, .note,
        prevents:
            "Bootloaders of SDK 12 to 15.0 strip one length byte only and find the signature wrong (05).")
    package let initPacketMissing = FailureCode(
        "init-packet-missing", .done,
        "There is no init packet (.dat) for the image. Bootloaders before nRF5 SDK 7 need none; later ones "
            + "refuse the image.",
        next: "build a package with an init packet, unless the bootloader is that old",
        rule: .compatibility, .error,
        prevents: "Bootloaders of SDK 7 and later wait for an init packet and refuse the image (2).")
    package let initPacketCRCAlone = FailureCode(
        "init-packet-crc-alone", .done,
        "The init packet is only a CRC16, which bootloaders of SDK 4.3 to 6.1 take. Later ones require an "
            + "init packet that names device and SoftDevices.",
        next: "build with \(task: .build(.nordicLegacy)), unless the bootloader is that old",
        rule: .compatibility, .warning,
        prevents: "Bootloaders of SDK 7 and later need the device and the SoftDevices in it, so it is not "
            + "sent to them.")
    package let initPacketPadded = FailureCode(
        "init-packet-padded", .done,
        "The init packet has more bytes after its CRC16, up to 10 in all. It is sent unchanged.",
        next: "no action is needed; bootloaders do not look at these bytes", rule: .hygiene, .note,
        prevents: "Bootloaders ignore these bytes, which hide the packager's intention.")
    package let extensionNotStock = FailureCode(
        "extension-not-stock", .done,
        "The init packet is of generation 0.6 or later. Bootloaders that follow the SDK's template read a "
            + "CRC16 where its extension begins, and refuse the image.",
        next: "build with \(.initPacketFormat, "0.5"), unless the product's bootloader was built for this "
            + "generation",
        rule: .compatibility, .warning,
        prevents: "A stock bootloader takes the extension for a CRC16 and refuses the image after all of it "
            + "was sent.")
    package let initPacketLong = FailureCode(
        "init-packet-long", .done,
        "The init packet has more than the 64 bytes that the SDK's bootloader with one bank accepts; with "
            + "two banks the limit is 128.",
        next: "name fewer SoftDevices, or check that the product's bootloader accepts more",
        rule: .compatibility, .warning,
        prevents: "A bootloader with 64 bytes for the init packet refuses it (4).")
    package let adafruitRevisionUnknown = FailureCode(
        "adafruit-revision-unknown", .done,
        "A SoftDevice or bootloader for device type 0052 has a revision that Adafruit's bootloader does "
            + "not take.",
        next: "build with \(.deviceRevision) 0xADAF (nRF52832), 52833 or 52840",
        rule: .compatibility, .warning,
        prevents: "Adafruit's bootloader refuses a SoftDevice or bootloader with this revision (6).")
    package let deviceTypeOpen = FailureCode(
        "device-type-open", .done,
        "The package names no device type. Only a bootloader without a device type of its own takes it, so "
            + "nothing keeps it from the wrong hardware.",
        next: "build with \(.deviceType); Adafruit's bootloader takes 0x0052 only",
        rule: .compatibility, .note,
        prevents: "A package for one product is installed on another that has no type of its own.")
    package let applicationVersionOpen = FailureCode(
        "application-version-open", .done, "The package names no application version.",
        next: "build with \(.applicationVersion) to tell packages apart; stock bootloaders do not compare it",
        rule: .policy, .note, prevents: "Installed packages cannot be told apart.")
    package let partsSentApart = FailureCode(
        "parts-sent-apart", .done,
        "The package updates the system and the application. A Legacy bootloader takes them one after the "
            + "other, with a reset and a new connection between.",
        next: "no action is needed; the system part goes first", rule: .compatibility, .note,
        prevents: "A link that is lost between the two parts leaves a new system without its application.")
    package let keyNotGiven = FailureCode(
        "key-not-given", .failed, "The package is signed, but no key was given to check the signature with.",
        next: "give the product's public key with \(.publicKey)", topic: .release, rule: .authenticity, .note,
        prevents: "The signature may be from anyone: no key was given to check it.")
    package let strayEntries = FailureCode(
        "stray-entries", .failed, "The archive has files that the manifest does not name; they are not sent.",
        next: "build the package again from the image alone, and find out what the files are",
        topic: .release, rule: .hygiene, .warning,
        prevents: "Sources, keys or notes are published inside the package.")
    package let debugRefused = FailureCode(
        "debug-refused", .failed, "The bootloader was built for releases and takes no debug packages.",
        next: "build the package without \(.debugMode)", topic: .release, rule: .compatibility, .error,
        prevents: "The target's bootloader takes no debug packages (0A).")
}

extension FailureCode {
    package static let nordicFinding = NordicFindingCodes()
}
