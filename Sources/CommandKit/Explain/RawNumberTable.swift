/// The protocols whose numbers `explain` can explain.
enum RawNumberTable: String, CaseIterable, Sendable {
    case secure, legacy, suota, buttonless, att, hci

    typealias Entries = [UInt8: (meaning: String, codes: [String])]

    /// What a number of the table is.
    var title: String {
        switch self {
        case .secure: "a result of a Nordic Secure bootloader"
        case .legacy: "a status of a Nordic Legacy bootloader"
        case .suota: "a status of a SUOTA receiver"
        case .buttonless: "a result of a Nordic application that is asked to start its bootloader"
        case .att: "an error of the Attribute Protocol"
        case .hci: "an error of a Bluetooth controller, or the reason why a link ended"
        }
    }

    /// The entries of protocols whose numbers are not in a Bluetooth specification.
    var entries: Entries {
        switch self {
        case .secure: Self.secureResults
        case .legacy: Self.legacyStatuses
        case .suota: Self.suotaStatuses
        case .buttonless: Self.buttonlessResults
        case .att, .hci: [:]
        }
    }

    /// The result of a Secure bootloader that is followed by an extended error.
    static let extendedError: UInt8 = 0x0B

    private static let secureResults: Entries = [
        0x01: ("success", []),
        0x02: ("the request is unknown", ["opcode-not-supported"]),
        0x03: ("a parameter of the request is not accepted", ["invalid-parameter"]),
        0x04: ("the image or the init packet is too large", ["insufficient-resources"]),
        0x05: (
            "the object is not accepted; of an init packet, usually its signature",
            [
                "signature-invalid", "init-packet-refused", "invalid-object", "boot-validation-failed",
                "flash-busy",
            ]
        ),
        0x07: ("the type of object is unknown", ["invalid-object"]),
        0x08: ("the request does not fit the state", ["operation-not-permitted"]),
        0x0A: ("the operation failed", ["operation-failed"]),
        0x0B: ("an extended error follows: `explain secure:0B:NN`", ["unknown-result"]),
    ]

    /// The extended errors after 0B in the answer of a Secure bootloader (nordic-secure.md, Refusals).
    static let extendedErrors: Entries = [
        0x02: ("the format of the init packet is wrong", ["init-packet-invalid"]),
        0x03: (
            "the command of the init packet is unknown, or a signature is required",
            ["init-packet-invalid", "signature-missing"]
        ),
        0x04: ("a field of the init packet is missing or wrong", ["init-packet-invalid"]),
        0x05: ("the firmware version is too low", ["firmware-version-too-low"]),
        0x06: ("the hardware version does not match", ["hardware-version-mismatch"]),
        0x07: ("the SoftDevice is not in sd_req", ["softdevice-mismatch"]),
        0x08: ("a signature is required", ["signature-missing"]),
        0x09: ("the type of hash is unknown", ["hash-type-unsupported"]),
        0x0A: ("the hash could not be computed", ["hash-failed"]),
        0x0B: ("the type of signature is unknown", ["signature-type-unsupported"]),
        0x0C: ("the image in flash does not have the hash of the init packet", ["image-hash-mismatch"]),
        0x0D: ("the image does not fit", ["insufficient-space"]),
    ]

    private static let legacyStatuses: Entries = [
        0x01: ("success", []),
        0x02: (
            "the request does not fit the state", ["init-packet-missing", "image-incomplete", "wrong-state"]
        ),
        0x03: (
            "the request, the type of image or the length of a packet is not supported",
            ["image-type-unsupported", "packet-length-refused", "opcode-not-supported"]
        ),
        0x04: (
            "more bytes than fit",
            ["insufficient-space", "init-packet-too-long", "data-overrun", "operation-failed"]
        ),
        0x05: (
            "the checksum is wrong", ["image-crc-mismatch", "init-packet-refused", "operation-failed"]
        ),
        0x06: ("the operation failed", ["too-fast", "init-packet-refused", "operation-failed"]),
    ]

    private static let suotaStatuses: Entries = [
        0x00: ("no status yet", ["image-not-marked"]),
        0x01: explained("patch-service"),
        0x02: ("a block was accepted, or the whole image verified", []),
        0x03: ("the service was left", ["service-left"]),
        0x04: ("the XOR (58x) or CRC-32 (68x, 69x) of the image is wrong", ["image-crc-mismatch"]),
        0x05: ("the length of a block is wrong", ["block-length-refused"]),
        0x06: ("the memory could not be erased or written", ["flash-write-failed"]),
        0x07: explained("block-too-large"),
        0x08: ("the type of memory is wrong, or the update was abandoned", ["memory-type-refused"]),
        0x09: explained("image-refused"),
        0x10: ("the beacon is waiting for the image", []),
        0x11: explained("invalid-bank"),
        0x12: ("the header of the image is wrong", ["invalid-image-header"]),
        0x13: explained("image-too-large"),
        0x14: explained("product-header-missing"),
        0x15: ("the bank holds this image", ["same-image"]),
        0x16: explained("wrong-pins"),
        0x17: ("the inactive bank holds this image", ["same-image"]),
        0x18: ("a mode of HomeKit: legacy", ["image-not-marked"]),
        0x19: ("a mode of HomeKit: HAP", ["image-not-marked"]),
        0x1A: ("a mode of HomeKit: signed images", ["image-not-marked"]),
        0x1B: ("a mode of HomeKit: encrypted and signed images", ["image-not-marked"]),
    ]

    /// The entry of a number with the meaning of its only code.
    private static func explained(_ code: String) -> (meaning: String, codes: [String]) {
        let summary = Explanation.of(code).summary
        return (summary.prefix(1).lowercased() + summary.dropFirst(), [code])
    }

    private static let buttonlessResults: Entries = [
        0x00: ("the request is not valid", ["entry-refused"]),
        0x01: ("success", []),
        0x02: ("the request is not supported", ["entry-refused"]),
        0x04: ("the operation failed", ["entry-refused"]),
        0x05: ("the name for the bootloader is not valid", ["entry-refused"]),
        0x06: ("the application is busy", ["entry-refused"]),
        0x07: ("a bond is required", ["entry-refused"]),
    ]
}
