package import UpdateModel

package struct MCUbootFileCodes: FailureCodeGroup {
    package static let topic = FailureTopic.findings

    private static let again: Advice = "get the file again from where it was made, and compare its SHA-256"
    private static let sign: Advice = "sign the image again with imgtool or the build system"
    private static let erased = "The upload succeeds, and the bootloader erases the image at the next start."
    private static let neverActivated = "The image is uploaded and can never be activated."
    private static let wrongMagic = "Beacons answer that the magic of the image is wrong."

    package let notAnImage = FailureCode(
        "mcuboot-image-missing", .badFile, "A file of the package is not an MCUboot image.",
        next: MCUbootPackageCodes.build, topic: .files, rule: .integrity, .error,
        prevents: "Beacons refuse the first bytes of a file without the header of an image.")
    package let formatOne = FailureCode(
        "mcuboot-format-1", .badFile,
        "The image has MCUboot's first format, which no bootloader takes any more.",
        next: "sign the program with imgtool of MCUboot 1.0 or later", topic: .files,
        rule: .compatibility, .error, prevents: Self.wrongMagic)
    package let bigEndian = FailureCode(
        "mcuboot-big-endian", .badFile,
        "The header of the image is big-endian; the processors of beacons are little-endian.",
        next: "sign the program again with imgtool for a little-endian processor", topic: .files,
        rule: .compatibility, .error, prevents: Self.wrongMagic)
    package let headerInvalid = FailureCode(
        "mcuboot-header-invalid", .badFile, "The header of the image gives itself an impossible length.",
        next: Self.again, topic: .files, rule: .integrity, .error,
        prevents: "A bootloader looks for the program inside the header.")
    package let tlvMalformed = FailureCode(
        "mcuboot-tlv-malformed", .badFile,
        "The entries after the image (TLVs) contradict their own lengths, or one has a length that no "
            + "bootloader takes.",
        next: Self.again, topic: .files, rule: .integrity, .error,
        prevents: "Beacons take the whole image, and the bootloader erases it at the next start.")
    package let hashMissing = FailureCode(
        "mcuboot-hash-missing", .badFile, "The image has no hash; beacons name images by it.",
        next: Self.sign, rule: .integrity, .error, prevents: Self.neverActivated)
    package let hashRepeated = FailureCode(
        "mcuboot-hash-repeated", .badFile, "The image has more than one hash; beacons take exactly one.",
        next: Self.sign, rule: .integrity, .error, prevents: Self.neverActivated)
    package let hashWrong = FailureCode(
        "mcuboot-hash-wrong", .badFile, "The hash in the image does not match its content.", next: Self.again,
        rule: .integrity, .error, prevents: Self.erased)
    package let unsigned = FailureCode(
        "mcuboot-unsigned", .badFile,
        "The image has no signature. Only bootloaders that do not check signatures start it.",
        next: Self.sign, rule: .authenticity, .error,
        prevents: "The upload succeeds, and a bootloader with a key erases the image at the next start.")
    package let signatureWrong = FailureCode(
        "mcuboot-signature-wrong", .badFile, "The signature does not match the image and the given key.",
        next: Self.again, rule: .authenticity, .error, prevents: Self.erased)
    package let otherKey = FailureCode(
        "mcuboot-other-key", .badFile, "The image is signed with another key than the given one.",
        next: "sign it with the product's key, or give the public half of the key that it is signed with",
        rule: .authenticity, .error, prevents: Self.erased)
    package let signatureUnchecked = FailureCode(
        "mcuboot-signature-unchecked", .failed, "The image is signed, but its signature was not checked.",
        next: "give the product's public key with \(.publicKey)", topic: .release,
        rule: .authenticity, .note, prevents: "The signature may be from anyone: it was not checked.")
    package let signatureUncheckable = FailureCode(
        "mcuboot-signature-uncheckable", .badFile,
        "The signature cannot be checked with the given key, so nobody knows whose it is.",
        next: "check the image before it is encrypted, or sign it in a way that can be checked: over its "
            + "hash, with at most four signatures",
        rule: .authenticity, .error, prevents: "Firmware that somebody else signed passes the gate.")
    package let defaultKey = FailureCode(
        "mcuboot-default-key", .done,
        "The image is signed with a key that MCUboot publishes for tests; everybody can sign with it.",
        next: "make a key with `imgtool keygen`, build it into the bootloader, and sign with it",
        rule: .authenticity, .error, prevents: "Anyone can sign firmware that the beacons install.")
    package let encrypted = FailureCode(
        "mcuboot-encrypted", .done,
        "The image is encrypted. Its hash is that of the plaintext, so it cannot be checked here.",
        next: "only a bootloader with the private key, and one that swaps or overwrites images, installs it",
        rule: .compatibility, .note,
        prevents: "A bootloader without the key erases the image at the next start.")
    package let imageKeyMissing = FailureCode(
        "mcuboot-image-key-missing", .badFile,
        "The image is encrypted, and has no key that a bootloader could use.", next: Self.sign,
        rule: .integrity, .error, prevents: "The upload succeeds, and no bootloader can decrypt the image.")
    package let compressed = FailureCode(
        "mcuboot-compressed", .done, "The image is compressed.",
        next: "only bootloaders of the nRF Connect SDK that were built to unpack images install it",
        rule: .compatibility, .note,
        prevents: "A bootloader that cannot unpack the image erases it at the next start.")
    package let notBootable = FailureCode(
        "mcuboot-not-bootable", .badFile, "The image is marked as one that does not start by itself.",
        next: "sign it without the option for images that do not start", rule: .compatibility, .error,
        prevents: "The upload succeeds, and the bootloader never installs the image.")
    package let versionZero = FailureCode(
        "mcuboot-version-zero", .done, "The image has the version 0.0.0, as builds without a version have.",
        next: "build it with a version", rule: .policy, .warning,
        prevents: "The version that a beacon runs cannot be told from that of other builds.")
    package let tlvNotAllowed = FailureCode(
        "mcuboot-tlv-not-allowed", .badFile,
        "The image has an entry (TLV) in an area where bootloaders do not take it: outside the protected "
            + "area, or a hash, key or signature inside it.",
        next: "sign it again with imgtool, which writes each entry into its area",
        rule: .compatibility, .error, prevents: Self.erased)
    package let tlvsContradict = FailureCode(
        "mcuboot-tlvs-contradict", .badFile,
        "Entries (TLVs) or flags of the image exclude each other, such as two kinds of signatures, or a signature "
            + "over a hash that does not go with it.",
        next: Self.sign, rule: .integrity, .error,
        prevents: "A bootloader checks another of the entries than the gate does, and erases the image.")
    package let hashNotListed = FailureCode(
        "mcuboot-hash-not-listed", .done,
        "The hash of the image is a SHA-384, as P-384 keys need. Beacons with Zephyr do not list such images.",
        next: "sign with P-256 or Ed25519, or try the update on one unit", rule: .compatibility, .note,
        prevents: "The image is uploaded, and the beacon cannot be asked to start it.")
    package let keyNotNamed = FailureCode(
        "mcuboot-key-not-named", .done,
        "The image does not say which key signed it. "
            + "Only bootloaders that have their key from the hardware start it.",
        next: "sign it again with imgtool, which adds the hash of the key", rule: .compatibility, .error,
        prevents: Self.erased)
    package let tlvUnknown = FailureCode(
        "mcuboot-tlv-unknown", .done, "The image has an entry of a type that this version does not know.",
        next: "a newer or custom tool made the image; ask its maker", rule: .hygiene, .note,
        prevents: "An entry without a known meaning changes what a bootloader does.")
    package let padded = FailureCode(
        "mcuboot-padded", .done,
        "The image is filled up to the size of its slot, for a programmer. The filling is not sent.",
        next: "use the image that the build writes without padding; a bootloader that starts images where "
            + "they are, and reverts, needs the trailer",
        rule: .hygiene, .warning,
        prevents: "Other tools send the filling, too, and the image is pending before it was checked.")
    package let trailingBytes = FailureCode(
        "mcuboot-trailing-bytes", .done,
        "Bytes follow the image that no hash covers, and that are no padding. They are not sent.",
        next: Self.again, rule: .integrity, .warning,
        prevents: "Bytes that nobody checks end up in the slot, perhaps where the bootloader keeps its state."
    )
    package let otherRegions = FailureCode(
        "mcuboot-hex-other-regions", .done,
        "The Intel HEX has more than the image, such as the bootloader; only the image is sent.",
        next: "use the image that the build writes beside it", rule: .hygiene, .note,
        prevents: "A file for the programmer is released as an update.")
    package let securityCounterLow = FailureCode(
        "mcuboot-security-counter", .failed,
        "The security counter of the image is missing, or lower than the one that the beacon keeps.",
        next: "sign the image with a counter that is not lower", topic: .release,
        rule: .compatibility, .error, prevents: Self.erased)
    package let modeUnfit = FailureCode(
        "mcuboot-mode-unfit", .failed, "The image is not made for bootloaders of this kind.",
        next: "build the image for the target's mode of the bootloader", topic: .release,
        rule: .compatibility, .error,
        prevents: "A bootloader that starts images from another place than they were linked for crashes.")
}

extension FailureCode { static let mcubootFile = MCUbootFileCodes() }
