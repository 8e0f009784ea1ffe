import FirmwareModel

extension Rule {
    /// What is said of packages for Legacy DFU only (nordic-legacy.md, Checks).
    static let legacyRules = [
        Rule(
            "crc16-mismatch", .integrity, .error,
            "The beacon takes the whole image, answers 5 to Validate, and has erased its application."),
        Rule(
            "checksum-missing", .integrity, .error,
            "Stock bootloaders refuse the init packet (6); others install an image that nobody has checked."),
        Rule(
            "hex-invalid", .integrity, .error,
            "Phone apps flatten damaged Intel HEX to another image than its init packet was made for."),
        Rule(
            "part-sizes-missing", .integrity, .error,
            "Nothing tells the beacon where the SoftDevice ends and the bootloader begins."),
        Rule(
            "part-sizes-mismatch", .integrity, .error,
            "The bootloader is copied from the wrong place, and the beacon never starts again."),
        Rule(
            "image-size-refused", .compatibility, .error,
            "The beacon answers 3 to Start DFU: sizes are multiples of 4."),
        Rule(
            "init-packet-missing", .compatibility, .error,
            "Bootloaders of SDK 7 and later wait for an init packet and refuse the image (2)."),
        Rule(
            "init-packet-crc-alone", .compatibility, .warning,
            "Bootloaders of SDK 7 and later want device and SoftDevices named, and are not sent such a packet."
        ),
        Rule(
            "init-packet-padded", .hygiene, .note,
            "Bytes that no bootloader looks at hide what the packager meant."),
        Rule(
            "extension-not-stock", .compatibility, .warning,
            "A stock bootloader takes the extension for a CRC16 and refuses the image after all of it was sent."
        ),
        Rule(
            "init-packet-long", .compatibility, .warning,
            "A bootloader with 64 bytes for the init packet refuses it (4)."),
        Rule(
            "adafruit-revision-unknown", .compatibility, .warning,
            "Adafruit's bootloader refuses a SoftDevice or bootloader with this revision (6)."),
        Rule(
            "device-type-open", .compatibility, .note,
            "A package for one product is installed on another that has no type of its own."),
        Rule(
            "application-version-open", .policy, .note,
            "Nobody can tell two packages apart by what they install."),
        Rule(
            "parts-sent-apart", .compatibility, .note,
            "A link that is lost between the two parts leaves a new system without its application."),
    ]
}
