extension Explanation {
    /// Files that are damaged or of the wrong kind.
    package static let files = [
        file("file-empty", "The file is empty.", next: again),
        file(
            "not-an-archive",
            "The file is not a ZIP file, as firmware packages are.", next: again),
        file("archive-truncated", "The file ends before the archive does.", next: again),
        file("archive-damaged", "The archive contradicts itself.", next: again),
        file(
            "archive-stray-bytes",
            "The archive has bytes before, between, inside or after its entries that its directory does not "
                + "name. Readers that go from entry to entry, as phone apps do, would read them as content.",
            next: suspicious),
        file(
            "archive-split",
            "The archive claims that it, or an entry, is on several disks.", next: again),
        file(
            "entry-header-mismatch",
            "The header of an entry contradicts the archive's directory. Some readers use the header and some "
                + "the directory, so they would get two different packages.",
            next: suspicious),
        file(
            "entry-overlap", "Two entries of the archive share bytes, or one reaches into the directory.",
            next: suspicious),
        file(
            "entry-two-names",
            "An entry has one name in the directory and another in a field for names in Unicode, which other "
                + "readers use.",
            next: suspicious),
        file(
            "entry-not-a-file",
            "An entry of the archive is a link, a device or something else that is not a file.",
            next: suspicious),
        file(
            "manifest-encoding",
            "The manifest is not plain UTF-8: it has a byte order mark, or is in UTF-16 or another encoding.",
            next: "save manifest.json as UTF-8 without a byte order mark and zip the package again"),
        file(
            "manifest-key-repeated",
            "An object in the manifest has a key twice. Some readers take the first value and some the last.",
            next: suspicious),
        file("entry-crc-mismatch", "A file inside the archive does not match its checksum.", next: again),
        file(
            "entry-name-unsafe",
            "A name in the archive leads outside of it. No packager writes that.",
            next: "do not use this file; find out where it comes from"),
        file(
            "entry-name-backslash",
            "A name in the archive has backslashes, as some programs on Windows write folders. Other readers "
                + "treat them as part of the name.",
            next: "unpack it on Windows, and zip the files themselves with another program"),
        file(
            "entry-duplicate",
            "The archive has two files with the same name.", next: rebuild),
        file(
            "entry-encrypted", "A file inside the archive is encrypted.",
            next: "build the package without a password"),
        file(
            "entry-method-unsupported",
            "A file inside the archive is compressed in a way that no DFU tool reads.",
            next: "zip it again with the methods stored or deflate"),
        file(
            "archive-too-large",
            "The archive, or the content that it declares, is larger than firmware can be.",
            next: "check that this is a firmware package; limits are 16 MiB and 256 entries"),
        file(
            "manifest-missing",
            "The archive has no manifest.json at its root, where a Nordic package has it.",
            next:
                "`beacon-dfu inspect FILE` shows what is in it: unpack an archive that holds the package, and "
                + "zip the files of a package themselves, not the folder that contains them"),
        file("manifest-not-json", "The manifest is not readable JSON.", next: rebuild),
        file(
            "manifest-field-invalid", "A field of the manifest is missing or has the wrong type.",
            next: rebuild),
        file("manifest-without-parts", "The manifest names no image.", next: rebuild),
        file(
            "parts-conflict", "The package has parts that cannot be installed together.",
            next: "build the package with one system part and at most one application"),
        file(
            "mcuboot-package",
            "This is a package for MCUboot (nRF Connect SDK), not for Nordic's nRF5 bootloader.",
            next: "update the beacon over SMP, for example with mcumgr"),
        file(
            "legacy-package", "This is a package for Legacy DFU (nRF5 SDK 11 and earlier).",
            next:
                "`beacon-dfu inspect FILE` shows what is in it, and `beacon-dfu flash` sends it to a Legacy bootloader"
        ),
        file("entry-missing", "The manifest names a file that is not in the archive.", next: rebuild),
        file("entry-empty", "A file of the package has no bytes.", next: rebuild),
        file("init-packet-malformed", "The init packet (.dat) cannot be read.", next: rebuild),
        file(
            "unsupported-file",
            "The file is not a package that this version can install.",
            next: "`beacon-dfu inspect FILE` shows what it is"),
        file(
            "unsupported-kind",
            "The file is valid, but of a kind that this version reads and does not send yet.",
            next: "flash it with the vendor's tool; `beacon-dfu inspect FILE` shows what is in it"),
        file(
            "hash-mismatch",
            "The init packet was made for another image.", next: rebuild),
        file(
            "hash-missing", "The init packet has no hash of the image; every bootloader refuses it.",
            next: rebuild),
        file(
            "size-mismatch",
            "The image's length differs from the one in the init packet.", next: rebuild),
        file(
            "role-mismatch", "The manifest and the init packet disagree on what the image is.", next: rebuild),
        file("type-missing", "The init packet does not say what the image is.", next: rebuild),
        file(
            "hash-type-unsupported", "Bootloaders take SHA-256 hashes only.", next: rebuild),
        file(
            "signature-length-wrong", "A signature has 64 bytes; with another length bootloaders refuse it.",
            next: "sign the package again"),
        file(
            "key-invalid",
            "The key file holds no key of the required kind: P-256, for catalogues also Ed25519.",
            next:
                "to sign, give a PEM file with the private key; to check, also PEM of the public key, or the "
                + "128 hexadecimal digits or the C array that `keys show` and nrfutil print"),
        file(
            "hash-length-wrong", "A SHA-256 has 32 bytes; with another length bootloaders refuse it.",
            next: rebuild),
        file(
            "boot-validation-unknown",
            "The init packet requests a check at start that does not exist; bootloaders of SDK 15.3 and later "
                + "refuse it after the last byte.", next: rebuild),
        file(
            "boot-validation-length-wrong", "A boot validation by signature has 64 bytes.", next: rebuild),
        file(
            "boot-validation-invalid",
            "The signature over the image, which the bootloader checks at every start, was not made with this "
                + "key.",
            next: "build the package with this product's key"),
        file("hardware-version-missing", "The init packet names no hardware version.", next: rebuild),
        file("sd-req-too-long", "Bootloaders take at most 16 SoftDevice ids.", next: rebuild),
        file("boot-validation-too-long", "Bootloaders take at most three boot validations.", next: rebuild),
    ]

    /// Legacy packages that every bootloader refuses (nordic-legacy.md, Checks).
    static let legacyFiles = [
        file(
            "crc16-mismatch", "The image does not have the CRC16 that is in the init packet.",
            next: rebuildLegacy),
        file(
            "checksum-missing",
            "The init packet ends without a CRC16 or a hash of the image; bootloaders refuse it as too short.",
            next: rebuildLegacy),
        file(
            "image-size-refused", "Legacy bootloaders take sizes in multiples of 4 bytes only.",
            next: "pad the image with FF; `beacon-dfu build nordic-legacy` does that"),
        file(
            "part-sizes-missing",
            "The manifest does not give the sizes of the SoftDevice and the bootloader in the image.",
            next: rebuildLegacy),
        file(
            "part-sizes-mismatch",
            "The sizes of SoftDevice and bootloader in the manifest do not add up to the image.",
            next: rebuildLegacy),
    ]

    /// Files without an archive around them: Dialog images, Feasycom files.
    package static let images = [
        file("not-suota", "The file does not begin as a SUOTA image does.", next: again),
        file("not-fbeacon", "The file does not have the marks of a Feasycom file.", next: again),
        file(
            "file-truncated",
            "The file is shorter than its header announces.", next: again),
        file(
            "trailing-bytes",
            "The file is longer than its header announces; beacons refuse that.",
            next: "get the file again; an upload's XOR trailer is not part of the file and has to be removed"),
        file("empty-payload", "The header announces no payload: there is nothing to install.", next: remake),
        file(
            "payload-offset-invalid", "The header puts the payload inside itself.", next: remake),
        file(
            "header-crc-mismatch", "The header does not match its own checksum: it is damaged.", next: again),
        file(
            "body-crc-mismatch",
            "Extension and payload do not match the checksum in the header: they are damaged.",
            next: again),
        file(
            "unsupported-container-version",
            "The open container is of a version that this program does not know.",
            next: "use a newer version of this program, or build a container of version 1"),
        file(
            "reserved-field-set",
            "A reserved field of the open container is set; its meaning is unknown.",
            next: "use a newer version of this program, or build the container again"),
        file("extension-malformed", "The extension of the open container cannot be read.", next: remake),
        file(
            "version-range-reversed",
            "The lowest version that may be updated is above the version in the file.",
            next: remake),
    ]

    private static let suspicious =
        "do not use this file; build the package again, and find out who changed it"
    private static let remake = "build the file again with the tool that made it"

    private static let again = "get the file again from where it was made, and compare its SHA-256"
    private static let rebuild = "build the package again, for example with `beacon-dfu build`"

    private static let rebuildLegacy =
        "build the package again, for example with `beacon-dfu build nordic-legacy`"

    private static func file(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .badFile, meaning, next: next)
    }
}
