package import UpdateModel

package struct DialogFileCodes: FailureCodeGroup {
    package static let topic = FailureTopic.findings

    private static let again: Advice = "get the file again from where it was made, and compare its SHA-256"
    private static let remake: Advice = "build the file again with the tool that made it"

    package let imageEncrypted = FailureCode(
        "image-encrypted", .done, "The payload is encrypted: its checksum is that of the plaintext.",
        next: "only a bootloader that was built with AES and this key starts it",
        rule: .compatibility, .warning,
        prevents: "Only a bootloader with this key starts it; any other keeps the old image.")
    package let imageExceedsFlash = FailureCode(
        "image-exceeds-flash", .done, "The image does not fit the flash in the vendor's layout.",
        next: "check the beacon's flash layout, or build a smaller image", rule: .compatibility, .error,
        prevents: "Receivers answer with status 0x13, or overwrite what follows the bank.")
    package let imageFillsBank = FailureCode(
        "image-fills-bank", .done,
        "The image fills its flash bank to the last byte; beacons erase the next sector too.",
        next: "make the image shorter, or check what lies after the bank", rule: .compatibility, .warning,
        prevents: "Receivers erase one sector too many: the product header, in some layouts.")
    package let versionMissing = FailureCode(
        "version-missing", .done, "The image names no version, so it cannot be told from others.",
        next: "build the image with a version", rule: .policy, .warning,
        prevents: "The version that a beacon runs cannot be seen from outside.")
    package let versionNotText = FailureCode(
        "version-not-text", .done, "The version has bytes that are not printable ASCII.",
        next: "no action is needed; beacons compare the bytes", rule: .policy, .note,
        prevents: "Tools show the version as question marks.")
    package let validFlagUnusual = FailureCode(
        "valid-flag-unusual", .done, "The valid flag is not AA; receivers write their own.",
        next: "no action is needed; the file may be a copy of a flash", rule: .hygiene, .note,
        prevents: "The file is a copy of a flash, not the output of a build.")
    package let imageExceedsSmallFlash = FailureCode(
        "image-exceeds-small-flash", .done,
        "The image does not fit the flash bank of some beacons with the same header.",
        next: "no action is needed for beacons with 2 Mbit of flash; see the beacon's flash layout",
        rule: .compatibility, .note, prevents: "A module with 1 Mbit of flash answers with status 0x13.")
    package let timestampMissing = FailureCode(
        "timestamp-missing", .done, "The image has no build time, so only its version tells it from others.",
        next: "build with \(.buildTime), or change the version with every build", rule: .policy, .warning,
        prevents:
            "Receivers tell images apart by version and timestamp; without one two builds are the same.")
    package let timestampImplausible = FailureCode(
        "timestamp-implausible", .done, "The build time is before 2010, when none of these chips existed.",
        next: "build with \(.buildTime): seconds since 1970 in UTC", rule: .policy, .warning,
        prevents: "An image of 1970 looks older than every earlier release.")
    package let sectionTruncated = FailureCode(
        "section-truncated", .done,
        "The header extension has a section that does not fit before the payload.",
        next: "get the file again, or build it again with the payload further from the header",
        rule: .integrity, .error, prevents: "The loader takes the first bytes of the program for a section.")
    package let sectionRepeated = FailureCode(
        "section-repeated", .done,
        "The header extension has two sections of one type; one of them is not read.",
        next: "build the image again with each section once", rule: .integrity, .warning,
        prevents: "One loader reads the first section of a type, another the last.")
    package let extensionUnknown = FailureCode(
        "extension-unknown", .done,
        "Between header and payload there is something that is neither a known section nor padding.",
        next: "a newer or custom tool made the image; ask its maker", rule: .hygiene, .note,
        prevents: "A custom tool's section means something to another loader.")
    package let signatureUnchecked = FailureCode(
        "signature-unchecked", .done, "The image has a signature, which this program cannot check.",
        next: "check it with the tool of the chip's vendor", rule: .authenticity, .note,
        prevents: "Only the loader can tell whether the section is valid.")
    package let notSUOTA = FailureCode(
        "not-suota", .badFile, "The file does not begin as a SUOTA image does.", next: Self.again,
        topic: .files)
    package let payloadOffsetInvalid = FailureCode(
        "payload-offset-invalid", .badFile, "The header puts the payload inside itself.", next: Self.remake,
        topic: .files, rule: .integrity, .error,
        prevents: "The receiver writes code over its own image header.")
}

extension FailureCode {
    static let dialogFile = DialogFileCodes()
}
