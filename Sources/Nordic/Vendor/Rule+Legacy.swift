import UpdateModel

extension Rule {
    /// Rules for Legacy DFU packages (nordic-legacy.md, Checks).
    static let legacyRules = [
        Rule(
            "crc16-mismatch", .integrity, .error,
            "The beacon erases its application, takes the whole image, and then rejects it (5 to Validate)."),
        Rule(
            "checksum-missing", .integrity, .error,
            "Stock bootloaders refuse the init packet (6); others install an unchecked image."),
        Rule(
            "hex-invalid", .integrity, .error,
            "Phone apps turn damaged Intel HEX into an image that does not match its init packet."),
        Rule(
            "part-sizes-missing", .integrity, .error,
            "The beacon cannot know where the SoftDevice ends and the bootloader begins."),
        Rule(
            "part-sizes-mismatch", .integrity, .error,
            "The bootloader is copied from the wrong place, and the beacon never starts again."),
        Rule(
            "image-size-refused", .compatibility, .error,
            "The beacon refuses Start DFU (3): sizes have to be multiples of 4."),
        Rule(
            "init-packet-missing", .compatibility, .error,
            "Bootloaders of SDK 7 and later wait for an init packet and refuse the image (2)."),
        Rule(
            "init-packet-crc-alone", .compatibility, .warning,
            "Bootloaders of SDK 7 and later need the device and SoftDevices, so they are not sent such a packet."
        ),
        Rule(
            "init-packet-padded", .hygiene, .note,
            "Bootloaders ignore these bytes, which hide the packager's intention."),
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
            "Installed packages cannot be told apart."),
        Rule(
            "parts-sent-apart", .compatibility, .note,
            "A link that is lost between the two parts leaves a new system without its application."),
    ]
}
