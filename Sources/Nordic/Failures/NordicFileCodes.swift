package import UpdateModel

package struct NordicFileCodes: FailureCodeGroup {
    package static let topic = FailureTopic.files

    private static let rebuild: Advice = "build the package again, for example with \(task: .build(nil))"
    private static let rebuildLegacy: Advice =
        "build the package again, for example with \(task: .build(.nordicLegacy))"
    private static let suspicious: Advice =
        "do not use this file; build the package again, and find out who changed it"

    package let manifestMissing = FailureCode(
        "manifest-missing", .badFile,
        "The archive has no manifest.json at its root, where a Nordic package has it.",
        next: "\(task: .inspect) shows what is in it: unpack an archive that holds the package, and zip the "
            + "files of a package themselves, not the folder that contains them",
        rule: .integrity, .error,
        prevents: "A zipped folder instead of its content is refused by every flashing tool.")
    package let mcubootPackage = FailureCode(
        "mcuboot-package", .badFile,
        "This is a package for MCUboot (nRF Connect SDK), not for Nordic's nRF5 bootloader.",
        next: "update the beacon over SMP, for example with mcumgr", rule: .compatibility, .error,
        prevents: "A beacon with Nordic's nRF5 bootloader cannot take a package for MCUboot.")
    package let manifestEncoding = FailureCode(
        "manifest-encoding", .badFile,
        "The manifest is not plain UTF-8: it has a byte order mark, or is in UTF-16 or another encoding.",
        next: "save manifest.json as UTF-8 without a byte order mark and zip the package again",
        rule: .integrity, .error, prevents: "nrfutil and phone apps read UTF-8 only and refuse the package.")
    package let manifestKeyRepeated = FailureCode(
        "manifest-key-repeated", .badFile,
        "An object in the manifest has a key twice. Some readers take the first value and some the last.",
        next: Self.suspicious, rule: .integrity, .error,
        prevents: "One tool sends the first image of that name, another the last.")
    package let manifestNotJSON = FailureCode(
        "manifest-not-json", .badFile, "The manifest is not readable JSON.", next: Self.rebuild,
        rule: .integrity, .error, prevents: "A hand-edited manifest is refused by every flashing tool.")
    package let manifestFieldInvalid = FailureCode(
        "manifest-field-invalid", .badFile, "A field of the manifest is missing or has the wrong type.",
        next: Self.rebuild, rule: .integrity, .error,
        prevents: "A hand-edited manifest makes tools send the wrong entry.")
    package let manifestWithoutParts = FailureCode(
        "manifest-without-parts", .badFile, "The manifest names no image.", next: Self.rebuild,
        rule: .integrity, .error, prevents: "A package without parts reports success and updates nothing.")
    package let partsConflict = FailureCode(
        "parts-conflict", .badFile, "The package has parts that cannot be installed together.",
        next: "build the package with one system part and at most one application",
        rule: .compatibility, .error, prevents: "No bootloader can install these parts together.")
    package let legacyPackage = FailureCode(
        "legacy-package", .badFile, "This is a package for Legacy DFU (nRF5 SDK 11 and earlier).",
        next: "\(task: .inspect) shows what is in it, and \(task: .flash) sends it to a Legacy bootloader")
    package let entryEmpty = FailureCode(
        "entry-empty", .badFile, "A file of the package has no bytes.", next: Self.rebuild,
        rule: .integrity, .error,
        prevents: "An empty image erases the application without installing a new one.")
    package let initPacketMalformed = FailureCode(
        "init-packet-malformed", .badFile, "The init packet (.dat) cannot be read.", next: Self.rebuild,
        rule: .integrity, .error, prevents: "The beacon answers 05 without giving the reason.")
    package let hashMismatch = FailureCode(
        "hash-mismatch", .badFile, "The init packet was made for another image.", next: Self.rebuild,
        rule: .integrity, .error,
        prevents: "The beacon takes the whole image, refuses it (0B 0C), and is left in its bootloader.")
    package let hashMissing = FailureCode(
        "hash-missing", .badFile, "The init packet has no hash of the image; every bootloader refuses it.",
        next: Self.rebuild, rule: .integrity, .error, prevents: "The beacon refuses the init packet.")
    package let roleMismatch = FailureCode(
        "role-mismatch", .badFile, "The manifest and the init packet disagree on what the image is.",
        next: Self.rebuild, rule: .integrity, .error,
        prevents: "A bootloader is installed as an application, or the other way round.")
    package let typeMissing = FailureCode(
        "type-missing", .badFile, "The init packet does not say what the image is.", next: Self.rebuild,
        rule: .integrity, .error, prevents: "Bootloaders of SDK 15 and later refuse the init packet (0B 04).")
    package let hashTypeUnsupported = FailureCode(
        "hash-type-unsupported", .badFile, "Bootloaders take SHA-256 hashes only.", next: Self.rebuild,
        rule: .compatibility, .error,
        prevents: "Bootloaders take SHA-256 only and refuse the init packet (0B 09).")
    package let signatureLengthWrong = FailureCode(
        "signature-length-wrong", .badFile,
        "A signature has 64 bytes; with another length bootloaders refuse it.",
        next: "sign the package again", rule: .authenticity, .error,
        prevents: "Bootloaders refuse the init packet (0A, or 05) without reporting that the signature is "
            + "the reason.")
    package let keyInvalid = FailureCode(
        "key-invalid", .badFile,
        "The key file holds no key of the required kind: P-256, for catalogues and MCUboot images also Ed25519, to check "
            + "MCUboot images also P-384 and RSA.",
        next: "to sign, give a PEM file with the private key; to check, also PEM of the public key, or the "
            + "128 hexadecimal digits or the C array that `keys show` and nrfutil print")
    package let hashLengthWrong = FailureCode(
        "hash-length-wrong", .badFile, "A SHA-256 has 32 bytes; with another length bootloaders refuse it.",
        next: Self.rebuild, rule: .compatibility, .error,
        prevents: "Bootloaders compare 32 bytes and find the image wrong (0B 0C).")
    package let bootValidationUnknown = FailureCode(
        "boot-validation-unknown", .badFile,
        "The init packet requests a check at start that does not exist; bootloaders of SDK 15.3 and later "
            + "refuse it after the last byte.",
        next: Self.rebuild, rule: .compatibility, .error,
        prevents: "The beacon takes the whole image and refuses it (05).")
    package let bootValidationLengthWrong = FailureCode(
        "boot-validation-length-wrong", .badFile, "A boot validation by signature has 64 bytes.",
        next: Self.rebuild, rule: .compatibility, .error,
        prevents: "The beacon takes the whole image and refuses it (05).")
    package let bootValidationInvalid = FailureCode(
        "boot-validation-invalid", .badFile,
        "The signature over the image, which the bootloader checks at every start, was not made with this "
            + "key.",
        next: "build the package with this product's key", rule: .compatibility, .error,
        prevents: "The beacon takes the whole image and refuses it (05).")
    package let hardwareVersionMissing = FailureCode(
        "hardware-version-missing", .badFile, "The init packet names no hardware version.",
        next: Self.rebuild, rule: .compatibility, .error,
        prevents: "Bootloaders refuse the init packet (0B 04).")
    package let sdReqTooLong = FailureCode(
        "sd-req-too-long", .badFile, "Bootloaders take at most 16 SoftDevice ids.", next: Self.rebuild,
        rule: .compatibility, .error,
        prevents: "Bootloaders cannot read more than 16 ids and refuse the init packet (05).")
    package let bootValidationTooLong = FailureCode(
        "boot-validation-too-long", .badFile, "Bootloaders take at most three boot validations.",
        next: Self.rebuild, rule: .compatibility, .error,
        prevents: "Bootloaders cannot read more than three entries (05).")
    package let crc16Mismatch = FailureCode(
        "crc16-mismatch", .badFile, "The image does not have the CRC16 that is in the init packet.",
        next: Self.rebuildLegacy, rule: .integrity, .error,
        prevents:
            "The beacon erases its application, takes the whole image, and then rejects it (5 to Validate).")
    package let checksumMissing = FailureCode(
        "checksum-missing", .badFile,
        "The init packet ends without a CRC16 or a hash of the image; bootloaders refuse it as too short.",
        next: Self.rebuildLegacy, rule: .integrity, .error,
        prevents: "Stock bootloaders refuse the init packet (6); others install an unchecked image.")
    package let imageSizeRefused = FailureCode(
        "image-size-refused", .badFile, "Legacy bootloaders take sizes in multiples of 4 bytes only.",
        next: "pad the image with FF; \(task: .build(.nordicLegacy)) does that",
        rule: .compatibility, .error,
        prevents: "The beacon refuses Start DFU (3): sizes have to be multiples of 4.")
    package let partSizesMissing = FailureCode(
        "part-sizes-missing", .badFile,
        "The manifest does not give the sizes of the SoftDevice and the bootloader in the image.",
        next: Self.rebuildLegacy, rule: .integrity, .error,
        prevents: "The beacon cannot know where the SoftDevice ends and the bootloader begins.")
    package let partSizesMismatch = FailureCode(
        "part-sizes-mismatch", .badFile,
        "The sizes of SoftDevice and bootloader in the manifest do not add up to the image.",
        next: Self.rebuildLegacy, rule: .integrity, .error,
        prevents: "The bootloader is copied from the wrong place, and the beacon never starts again.")
}

extension FailureCode {
    package static let nordicFile = NordicFileCodes()
}
