public import UpdateModel

extension Rule {
    /// Every rule, by id.
    public static let all: [Rule] = [
        archiveRules, manifestRules, initPacketRules, imageRules, authenticityRules, compatibilityRules,
        policyRules, hygieneRules, KnownVendors.all.flatMap(\.rules),
    ].flatMap(\.self).sorted { $0.id < $1.id }

    /// The rule with this id.
    public static func named(_ id: String) -> Rule? { byID[id] }

    private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}

extension Finding {
    /// The category of its rule; integrity for a finding without a rule.
    public var category: Rule.Category { Rule.named(id)?.category ?? .integrity }
}

extension Rule {
    /// Rules about the file's author and its signature.
    static let authenticityRules = [
        Rule(
            "unsigned", .authenticity, .error,
            "Stock bootloaders refuse it (0B 08), and others install any image from anyone nearby."),
        Rule(
            "signature-missing", .authenticity, .error,
            "The product's bootloaders refuse the package (0B 08) in front of the customer."),
        Rule(
            "signature-invalid", .authenticity, .error,
            "A package signed with the development key is refused by every unit in the field (05)."),
        Rule(
            "signature-length-wrong", .authenticity, .error,
            "Bootloaders refuse the init packet (0A, or 05) without reporting that the signature is the reason."
        ),
        Rule(
            "signature-type-unsupported", .authenticity, .error,
            "Bootloaders support ECDSA P-256 only and refuse the init packet (0B 0B)."),
        Rule(
            "signed-with-default-key", .authenticity, .error,
            "nrfutil's key is public, so anyone nearby can install anything."),
        Rule(
            "unauthenticated", .authenticity, .note,
            "A file that was tampered with can have valid checksums."),
        Rule(
            "signature-unchecked", .authenticity, .note,
            "Only the loader can tell whether the section is valid."),
        Rule(
            "key-not-given", .authenticity, .note,
            "The signature may be from anyone: no key was given to check it."),
    ]
}

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

extension Rule {
    /// Rules about the archive of a package.
    static let archiveRules = [
        integrity("file-not-found", "A gate that skips files it cannot open lets everything through."),
        integrity(
            "file-not-readable",
            "A file that the gate has no permission to read is released unchecked."),
        integrity("file-is-directory", "A folder instead of a file hides its content from the gate."),
        integrity(
            "link-not-followed",
            "A linked folder is released without being checked."),
        integrity("file-empty", "An empty file installs nothing, and stops the run that it is part of."),
        integrity(
            "archive-truncated",
            "An incomplete download is noticed only when the beacon is in its bootloader."),
        integrity("archive-damaged", "Two tools read two different packages from one file."),
        integrity(
            "archive-stray-bytes",
            "A phone app may find another package in bytes that the directory does not list."),
        integrity("archive-split", "One tool looks for the missing disk, another reads what is there."),
        integrity(
            "entry-header-mismatch",
            "A phone app uses the entry's own header, and installs another image."),
        integrity(
            "entry-overlap", "Two entries share bytes, so readers may extract different content."),
        integrity(
            "entry-two-names", "Another tool finds another file under the name in the manifest."),
        integrity("entry-not-a-file", "Unpacked, the image is a link to some other file of that machine."),
        integrity("manifest-encoding", "nrfutil and phone apps read UTF-8 only and refuse the package."),
        integrity(
            "manifest-key-repeated", "One tool sends the first image of that name, another the last."),
        integrity("entry-crc-mismatch", "A faulty copy on a memory stick installs a damaged image."),
        integrity(
            "manifest-missing", "A zipped folder instead of its content is refused by every flashing tool."),
        integrity("manifest-not-json", "A hand-edited manifest is refused by every flashing tool."),
        integrity("manifest-field-invalid", "A hand-edited manifest makes tools send the wrong entry."),
        integrity("manifest-without-parts", "A package without parts reports success and updates nothing."),
        integrity(
            "entry-missing", "A package without its image stops after the beacon has left its application."),
        integrity("entry-empty", "An empty image erases the application without installing a new one."),
    ]

    /// Rules about manifest and init packet, compared with each other and with the image.
    static let manifestRules = [
        integrity(
            "hash-mismatch",
            "The beacon takes the whole image, refuses it (0B 0C), and is left in its bootloader."),
        integrity("hash-missing", "The beacon refuses the init packet."),
        integrity("size-mismatch", "The beacon waits for bytes that never come, or refuses those that do."),
        integrity("role-mismatch", "A bootloader is installed as an application, or the other way round."),
        integrity("type-missing", "Bootloaders of SDK 15 and later refuse the init packet (0B 04)."),
        Rule(
            "metadata-mismatch", .integrity, .warning,
            "Tools that split a SoftDevice with bootloader by the manifest split it in the wrong place."),
        integrity("init-packet-malformed", "The beacon answers 05 without giving the reason."),
    ]

    /// Rules about images without an archive.
    static let imageRules = [
        integrity("file-truncated", "An incomplete download uploads without an error and does not boot."),
        integrity(
            "trailing-bytes", "Receivers count the bytes: one too many ends the upload with status 0x06."),
        integrity("empty-payload", "Receivers answer with status 0x13 and install nothing."),
        integrity("payload-offset-invalid", "The receiver writes code over its own image header."),
        integrity("header-crc-mismatch", "A damaged header names another model or another length."),
        integrity("body-crc-mismatch", "A faulty copy installs a damaged image."),
        integrity(
            "image-crc-mismatch",
            "DA1458x receivers report success for a damaged image; the beacon starts its old one, or none."),
        integrity("image-hash-mismatch", "A faulty copy installs a damaged image."),
        integrity("section-truncated", "The loader takes the first bytes of the program for a section."),
        Rule(
            "section-repeated", .integrity, .warning,
            "One loader reads the first section of a type, another the last."),
        integrity("extension-malformed", "The model's name cannot be read, and the wrong unit is updated."),
        integrity("version-range-reversed", "No installed version fits, so no beacon takes the file."),
        integrity("reserved-field-set", "A receiver takes a field of a later format for something else."),
        Rule(
            "file-short", .integrity, .warning,
            "The vendor's programs refuse files this short without a reason."),
    ]

    private static func integrity(_ id: String, _ prevents: String) -> Rule {
        Rule(id, .integrity, .error, prevents)
    }
}
