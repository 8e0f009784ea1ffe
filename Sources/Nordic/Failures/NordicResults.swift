package import UpdateModel

extension NordicVendor {
    package var resultTables: [ResultTable] {
        [
            ResultTable(
                "secure", "a result of a Nordic Secure bootloader", example: "0B:06", Self.secureResults,
                extended: (by: 0x0B, Self.extendedErrors)),
            ResultTable(
                "legacy", "a status of a Nordic Legacy bootloader", example: "06", Self.legacyStatuses),
            ResultTable(
                "buttonless", "a result of a Nordic application that is asked to start its bootloader",
                example: "07", isOfEntry: true, Self.buttonlessResults),
        ]
    }

    private static func entry(_ meaning: String, _ codes: FailureCode...) -> ResultTable.Entry {
        ResultTable.Entry(meaning, codes)
    }

    private static let secureResults: [UInt8: ResultTable.Entry] = [
        0x01: entry("success"),
        0x02: entry("the request is unknown", .nordicRefusal.opcodeNotSupported),
        0x03: entry("a parameter of the request is not accepted", .nordicRefusal.invalidParameter),
        0x04: entry("the image or the init packet is too large", .nordicRefusal.insufficientResources),
        0x05: entry(
            "the object is not accepted; of an init packet, usually its signature",
            .nordicRefusal.signatureInvalid, .nordicRefusal.initPacketRefused, .nordicRefusal.invalidObject,
            .nordicRefusal.bootValidationFailed, .nordicRefusal.flashBusy),
        0x07: entry("the type of object is unknown", .nordicRefusal.invalidObject),
        0x08: entry("the request does not fit the state", .nordicRefusal.operationNotPermitted),
        0x0A: entry("the operation failed", .nordicRefusal.operationFailed),
        0x0B: entry("an extended error follows: `explain secure:0B:NN`", .nordicRefusal.unknownResult),
    ]

    /// The extended errors after 0B in the answer of a Secure bootloader (nordic-secure.md, Refusals).
    private static let extendedErrors: [UInt8: ResultTable.Entry] = [
        0x02: entry("the format of the init packet is wrong", .nordicRefusal.initPacketInvalid),
        0x03: entry(
            "the command of the init packet is unknown, or a signature is required",
            .nordicRefusal.initPacketInvalid, .nordicRefusal.signatureMissing),
        0x04: entry("a field of the init packet is missing or wrong", .nordicRefusal.initPacketInvalid),
        0x05: entry("the firmware version is too low", .device.firmwareVersionTooLow),
        0x06: entry("the hardware version does not match", .device.hardwareVersionMismatch),
        0x07: entry("the SoftDevice is not in sd_req", .nordicRefusal.softdeviceMismatch),
        0x08: entry("a signature is required", .nordicRefusal.signatureMissing),
        0x09: entry("the type of hash is unknown", .nordicFile.hashTypeUnsupported),
        0x0A: entry("the hash could not be computed", .nordicRefusal.hashFailed),
        0x0B: entry("the type of signature is unknown", .nordicRefusal.signatureTypeUnsupported),
        0x0C: entry(
            "the image in flash does not have the hash of the init packet", .device.imageHashMismatch),
        0x0D: entry("the image does not fit", .device.insufficientSpace),
    ]

    private static let legacyStatuses: [UInt8: ResultTable.Entry] = [
        0x01: entry("success"),
        0x02: entry(
            "the request does not fit the state", .nordicFinding.initPacketMissing,
            .nordicRefusal.imageIncomplete, .nordicRefusal.wrongState),
        0x03: entry(
            "the request, the type of image or the length of a packet is not supported",
            .nordicRefusal.imageTypeUnsupported, .nordicRefusal.packetLengthRefused,
            .nordicRefusal.opcodeNotSupported),
        0x04: entry(
            "more bytes than fit", .device.insufficientSpace, .nordicRefusal.initPacketTooLong,
            .nordicRefusal.dataOverrun, .nordicRefusal.operationFailed),
        0x05: entry(
            "the checksum is wrong", .device.imageCRCMismatch, .nordicRefusal.initPacketRefused,
            .nordicRefusal.operationFailed),
        0x06: entry(
            "the operation failed", .nordicRefusal.tooFast, .nordicRefusal.initPacketRefused,
            .nordicRefusal.operationFailed),
    ]

    private static let buttonlessResults: [UInt8: ResultTable.Entry] = [
        0x00: entry("the request is not valid", .device.entryRefused),
        0x01: entry("success"),
        0x02: entry("the request is not supported", .device.entryRefused),
        0x04: entry("the operation failed", .device.entryRefused),
        0x05: entry("the name for the bootloader is not valid", .device.entryRefused),
        0x06: entry("the application is busy", .device.entryRefused),
        0x07: entry("a bond is required", .device.entryRefused),
    ]
}
