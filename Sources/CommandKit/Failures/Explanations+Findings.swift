extension Explanation {
    /// Findings in a readable package that do not cause its refusal.
    package static let findings = [
        finding(
            "unsigned", "The init packet carries no signature. Stock bootloaders take signed packages only.",
            next: "sign the package, unless this product's bootloader was built to take unsigned ones"),
        finding(
            "firmware-version-missing", "The init packet names no firmware version.",
            next: "build the package with --application-version"),
        finding(
            "firmware-version-final",
            "The firmware version is FFFFFFFF, the highest there is: no later application can be installed.",
            next: "build the application with an ordinary version number"),
        finding(
            "image-not-aligned", "The image's length is not a multiple of 4, the flash's word.",
            next: "pad the image with FF"),
        finding(
            "sd-req-missing", "The init packet names no SoftDevice; bootloaders with one refuse it.",
            next: "build the package with --sd-req"),
        finding(
            "sd-req-unknown",
            "The list of SoftDevices has an id that is in no public table.",
            next: "check that the id is intended; a test build's id is harmless"),
        finding(
            "signed-with-default-key",
            "The key is the one that nrfutil's source contains for experiments. Anyone has it, so anyone can "
                + "make firmware that beacons with its public key accept.",
            next: "make a key with `beacon-dfu keys generate`, and build the bootloader with its public half"),
        finding(
            "sd-req-wildcard",
            "The list of SoftDevices has FFFE, nrfutil's default in debug mode. Only external applications may "
                + "have it; anywhere else it matches no SoftDevice, and release bootloaders refuse the package.",
            next: "build the package with --sd-req and the SoftDevice that the beacon has"),
        finding(
            "sd-req-too-large", "The list of SoftDevices has a number of more than 16 bits.",
            next: "build the package with the ids that `nrfutil` or the SoftDevice's release notes name"),
        finding(
            "sd-req-leading-zero",
            "The list of SoftDevices begins with 0, no SoftDevice needed, and the rest contradicts that. Bootloaders "
                + "of SDK 15.3 and later refuse it.",
            next: "list the installed SoftDevice first, without a 0"),
        finding(
            "sd-req-none",
            "The application is for hardware without a SoftDevice, or with any. SDK 15 accepts it; SDK 14 does "
                + "not if a SoftDevice is installed.",
            next: "list the installed SoftDevice for a package that every SDK takes"),
        finding(
            "softdevice-not-listed",
            "The package installs a SoftDevice that its application does not list: the beacon takes the first "
                + "part, refuses the second, and is left without an application.",
            next: "build the package with --sd-id and the id of the SoftDevice in it"),
        finding(
            "softdevice-unrecognised",
            "The SoftDevice of the package lacks the structure by which bootloaders recognise one.",
            next: "give the SoftDevice's own .hex with --softdevice"),
        finding(
            "image-gap",
            "The Intel HEX has addresses far apart, and the image has FF for everything between them: it may be "
                + "much longer than the program. Often a bootloader's settings or a second program were merged in.",
            next:
                "pack the .hex that the build wrote, without merged parts; if the gap is intended, no action is "
                + "needed"
        ),
        finding(
            "application-is-softdevice",
            "The application begins with a SoftDevice: perhaps a merged .hex was packed.",
            next: "give the application's own .hex with --application"),
        finding(
            "op-code-unusual", "The command in the init packet is not INIT.",
            next: "no action is needed; bootloaders do not look at it"),
        finding(
            "boot-validation-misplaced",
            "The first boot validation of a SoftDevice with a bootloader is a signature. Bootloaders of SDK "
                + "15.3 and 16 check the bootloader with it too, and it cannot fit both.",
            next:
                "build without VALIDATE_ECDSA_P256_SHA256 for the SoftDevice, unless the beacons have SDK 17"),
        finding(
            "boot-validation-bytes", "A boot validation has bytes that its type does not use.",
            next: "no action is needed; bootloaders make their own"),
        finding(
            "metadata-mismatch",
            "The manifest records other values than the init packet.",
            next: "build the package again; bootloaders use the init packet"),
        finding(
            "debug",
            "The package was built in nrfutil's debug mode.",
            next: "build the package for a release without --debug-mode"),
        finding(
            "unknown-field",
            "The init packet has a field that the public schema does not know.",
            next: "its packager is newer or custom; bootloaders skip such fields"),
        finding(
            "image-encrypted", "The payload is encrypted: its checksum is that of the plaintext.",
            next: "only a bootloader that was built with AES and this key starts it"),
        finding(
            "image-exceeds-flash",
            "The image does not fit the flash in the vendor's layout.",
            next: "check the beacon's flash layout, or build a smaller image"),
        finding(
            "image-fills-bank",
            "The image fills its flash bank to the last byte; beacons erase the next sector too.",
            next: "make the image shorter, or check what lies after the bank"),
        finding(
            "version-missing", "The image names no version, so it cannot be told from others.",
            next: "build the image with a version"),
        finding(
            "version-not-text",
            "The version has bytes that are not printable ASCII.",
            next: "no action is needed; beacons compare the bytes"),
        finding(
            "valid-flag-unusual", "The valid flag is not AA; receivers write their own.",
            next: "no action is needed; the file may be a copy of a flash"),
        finding(
            "unknown-flags",
            "Flags or reserved bytes with unknown meaning are set.",
            next: "a newer or custom tool made the image; ask its maker"),
        finding(
            "image-exceeds-small-flash",
            "The image does not fit the flash bank of some beacons with the same header.",
            next: "no action is needed for beacons with 2 Mbit of flash; see the beacon's flash layout"),
        finding(
            "timestamp-missing", "The image has no build time, so only its version tells it from others.",
            next: "build with --timestamp, or change the version with every build"),
        finding(
            "timestamp-implausible", "The build time is before 2010, when none of these chips existed.",
            next: "build with --timestamp: seconds since 1970 in UTC"),
        finding(
            "section-truncated",
            "The header extension has a section that does not fit before the payload.",
            next: "get the file again, or build it again with the payload further from the header"),
        finding(
            "section-repeated", "The header extension has two sections of one type; one of them is not read.",
            next: "build the image again with each section once"),
        finding(
            "extension-unknown",
            "Between header and payload there is something that is neither a known section nor padding.",
            next: "a newer or custom tool made the image; ask its maker"),
        finding(
            "signature-unchecked", "The image has a signature, which this program cannot check.",
            next: "check it with the tool of the chip's vendor"),
        finding(
            "unauthenticated",
            "Nothing in the file proves who made it. Checksums detect damage; anyone who changes the file on "
                + "purpose writes new ones.",
            next: "get the file through a channel that you trust, and compare its SHA-256 with the maker's"),
        finding(
            "model-missing", "The file names no model: it fits any beacon, whatever it was made for.",
            next: "build the file with --model"),
        finding(
            "model-unknown", "The model's number is in no public table.",
            next: "compare it with the number that the beacon advertises"),
        finding(
            "model-ambiguous", "The model's number stands for a beacon and for a module.",
            next: "find out which the file is for; --model NAME writes the name into an open container"),
        finding(
            "model-mismatch",
            "The model's number and its name belong to two models: no beacon has both.",
            next: "build the file with the right --model, and without --model-type"),
        finding(
            "payload-encrypted", "The vendor has encrypted the payload.",
            next: "flash it with the vendor's tool"),
        finding(
            "file-short", "The file is shorter than the vendor's programs read.",
            next: "get the file again, and compare its size"),
        finding(
            "init-command-long",
            "The init command has more than 127 bytes; bootloaders of SDK 12 to 15.0 cannot check its signature.",
            next: "build without boot validation by signature for such bootloaders"),
    ]

    /// Findings in a Legacy package that do not cause its refusal (nordic-legacy.md, Checks).
    static let legacyFindings = [
        finding(
            "init-packet-missing",
            "There is no init packet (.dat) for the image. Bootloaders before nRF5 SDK 7 need none; later ones "
                + "refuse the image.",
            next: "build a package with an init packet, unless the bootloader is that old"),
        finding(
            "init-packet-crc-alone",
            "The init packet is only a CRC16, which bootloaders of SDK 4.3 to 6.1 take. Later ones require an "
                + "init packet that names device and SoftDevices.",
            next: "build with `beacon-dfu build nordic-legacy`, unless the bootloader is that old"),
        finding(
            "init-packet-padded",
            "The init packet has more bytes after its CRC16, up to 10 in all. It is sent unchanged.",
            next: "no action is needed; bootloaders do not look at these bytes"),
        finding(
            "extension-not-stock",
            "The init packet is of generation 0.6 or later. Bootloaders that follow the SDK's template read a CRC16 "
                + "where its extension begins, and refuse the image.",
            next: "build with --dfu-ver 0.5, unless the product's bootloader was built for this generation"),
        finding(
            "init-packet-long",
            "The init packet has more than the 64 bytes that the SDK's bootloader with one bank accepts; with "
                + "two banks the limit is 128.",
            next: "name fewer SoftDevices, or check that the product's bootloader accepts more"),
        finding(
            "adafruit-revision-unknown",
            "A SoftDevice or bootloader for device type 0052 has a revision that Adafruit's bootloader does not take.",
            next: "build with --dev-revision 0xADAF (nRF52832), 52833 or 52840"),
        finding(
            "device-type-open",
            "The package names no device type. Only a bootloader without a device type of its own takes it, so "
                + "nothing keeps it from the wrong hardware.",
            next: "build with --dev-type; Adafruit's bootloader takes 0x0052 only"),
        finding(
            "application-version-open", "The package names no application version.",
            next:
                "build with --application-version to tell packages apart; stock bootloaders do not compare it"
        ),
        finding(
            "parts-sent-apart",
            "The package updates the system and the application. A Legacy bootloader takes them one after the other, "
                + "with a reset and a new connection between.",
            next: "no action is needed; the system part goes first"),
    ]

    private static func finding(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .done, meaning, next: next)
    }
}
