import Dialog
import Nordic
import UpdateModel

/// The protocols whose numbers `explain` can explain.
enum RawNumberTable: String, CaseIterable, Sendable {
    case secure, legacy, suota, buttonless, att, hci

    typealias Entries = [UInt8: (meaning: String, codes: [FailureCode])]

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
        0x02: ("the request is unknown", [.nordicRefusal.opcodeNotSupported]),
        0x03: ("a parameter of the request is not accepted", [.nordicRefusal.invalidParameter]),
        0x04: ("the image or the init packet is too large", [.nordicRefusal.insufficientResources]),
        0x05: (
            "the object is not accepted; of an init packet, usually its signature",
            [
                .nordicRefusal.signatureInvalid, .nordicRefusal.initPacketRefused,
                .nordicRefusal.invalidObject, .nordicRefusal.bootValidationFailed,
                .nordicRefusal.flashBusy,
            ]
        ),
        0x07: ("the type of object is unknown", [.nordicRefusal.invalidObject]),
        0x08: ("the request does not fit the state", [.nordicRefusal.operationNotPermitted]),
        0x0A: ("the operation failed", [.nordicRefusal.operationFailed]),
        0x0B: ("an extended error follows: `explain secure:0B:NN`", [.nordicRefusal.unknownResult]),
    ]

    /// The extended errors after 0B in the answer of a Secure bootloader (nordic-secure.md, Refusals).
    static let extendedErrors: Entries = [
        0x02: ("the format of the init packet is wrong", [.nordicRefusal.initPacketInvalid]),
        0x03: (
            "the command of the init packet is unknown, or a signature is required",
            [.nordicRefusal.initPacketInvalid, .nordicRefusal.signatureMissing]
        ),
        0x04: ("a field of the init packet is missing or wrong", [.nordicRefusal.initPacketInvalid]),
        0x05: ("the firmware version is too low", [.device.firmwareVersionTooLow]),
        0x06: ("the hardware version does not match", [.device.hardwareVersionMismatch]),
        0x07: ("the SoftDevice is not in sd_req", [.nordicRefusal.softdeviceMismatch]),
        0x08: ("a signature is required", [.nordicRefusal.signatureMissing]),
        0x09: ("the type of hash is unknown", [.nordicFile.hashTypeUnsupported]),
        0x0A: ("the hash could not be computed", [.nordicRefusal.hashFailed]),
        0x0B: ("the type of signature is unknown", [.nordicRefusal.signatureTypeUnsupported]),
        0x0C: ("the image in flash does not have the hash of the init packet", [.device.imageHashMismatch]),
        0x0D: ("the image does not fit", [.device.insufficientSpace]),
    ]

    private static let legacyStatuses: Entries = [
        0x01: ("success", []),
        0x02: (
            "the request does not fit the state",
            [.nordicFinding.initPacketMissing, .nordicRefusal.imageIncomplete, .nordicRefusal.wrongState]
        ),
        0x03: (
            "the request, the type of image or the length of a packet is not supported",
            [
                .nordicRefusal.imageTypeUnsupported, .nordicRefusal.packetLengthRefused,
                .nordicRefusal.opcodeNotSupported,
            ]
        ),
        0x04: (
            "more bytes than fit",
            [
                .device.insufficientSpace, .nordicRefusal.initPacketTooLong, .nordicRefusal.dataOverrun,
                .nordicRefusal.operationFailed,
            ]
        ),
        0x05: (
            "the checksum is wrong",
            [.device.imageCRCMismatch, .nordicRefusal.initPacketRefused, .nordicRefusal.operationFailed]
        ),
        0x06: (
            "the operation failed",
            [.nordicRefusal.tooFast, .nordicRefusal.initPacketRefused, .nordicRefusal.operationFailed]
        ),
    ]

    private static let suotaStatuses: Entries = [
        0x00: ("no status yet", [.suota.imageNotMarked]),
        0x01: explained(.suota.patchService),
        0x02: ("a block was accepted, or the whole image verified", []),
        0x03: ("the service was left", [.suota.serviceLeft]),
        0x04: ("the XOR (58x) or CRC-32 (68x, 69x) of the image is wrong", [.device.imageCRCMismatch]),
        0x05: ("the length of a block is wrong", [.suota.blockLengthRefused]),
        0x06: ("the memory could not be erased or written", [.suota.flashWriteFailed]),
        0x07: explained(.suota.blockTooLarge),
        0x08: ("the type of memory is wrong, or the update was abandoned", [.suota.memoryTypeRefused]),
        0x09: explained(.device.imageRefused),
        0x10: ("the beacon is waiting for the image", []),
        0x11: explained(.suota.invalidBank),
        0x12: ("the header of the image is wrong", [.suota.invalidImageHeader]),
        0x13: explained(.suota.imageTooLarge),
        0x14: explained(.suota.productHeaderMissing),
        0x15: ("the bank holds this image", [.finding.sameImage]),
        0x16: explained(.suota.wrongPins),
        0x17: ("the inactive bank holds this image", [.finding.sameImage]),
        0x18: ("a mode of HomeKit: legacy", [.suota.imageNotMarked]),
        0x19: ("a mode of HomeKit: HAP", [.suota.imageNotMarked]),
        0x1A: ("a mode of HomeKit: signed images", [.suota.imageNotMarked]),
        0x1B: ("a mode of HomeKit: encrypted and signed images", [.suota.imageNotMarked]),
    ]

    /// The entry of a number with the meaning of its only code.
    private static func explained(_ code: FailureCode) -> (meaning: String, codes: [FailureCode]) {
        (code.summary.prefix(1).lowercased() + code.summary.dropFirst(), [code])
    }

    private static let buttonlessResults: Entries = [
        0x00: ("the request is not valid", [.device.entryRefused]),
        0x01: ("success", []),
        0x02: ("the request is not supported", [.device.entryRefused]),
        0x04: ("the operation failed", [.device.entryRefused]),
        0x05: ("the name for the bootloader is not valid", [.device.entryRefused]),
        0x06: ("the application is busy", [.device.entryRefused]),
        0x07: ("a bond is required", [.device.entryRefused]),
    ]
}
