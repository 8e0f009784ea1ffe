import UpdateModel

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
