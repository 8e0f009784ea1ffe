package import UpdateModel

/// SUOTA updates: the refusals of receivers, and settings for sending.
package struct SUOTACodes: FailureCodeGroup {
    package static let topic = FailureTopic("SUOTA")

    package let patchService = FailureCode(
        "patch-service", .failed, "The beacon has started its patch service, which takes no images.",
        next: "power-cycle the beacon and run the same command again")
    package let serviceLeft = FailureCode(
        "service-left", .tryAgain,
        "The beacon ended the update by itself: it needs exactly one connection, and memory for a buffer.",
        next:
            "end other connections to the beacon, wait until it advertises, then run the same command again")
    package let blockLengthRefused = FailureCode(
        "block-length-refused", .tryAgain,
        "The beacon repeatedly counted fewer or more bytes in a block than were sent: some were lost.",
        next: "bring the beacon closer, then run the same command again, perhaps with \(.blockSize, "240")")
    package let flashWriteFailed = FailureCode(
        "flash-write-failed", .failed,
        "The beacon could not erase or write the memory in which it keeps images. The usual reason is "
            + "wrong pins; the other is memory that is write-protected or worn out.",
        next: "check the pins with the maker's documents and give them with \(.pins) or \(.profile)")
    package let blockTooLarge = FailureCode(
        "block-too-large", .failed, "The beacon's buffer is smaller than the announced blocks.",
        next: "use \(.blockSize, "240"), which every beacon takes")
    package let memoryTypeRefused = FailureCode(
        "memory-type-refused", .failed, "The beacon keeps no images in this kind of memory.",
        next: "use the pins of the memory that the beacon has: SPI flash or I2C EEPROM")
    package let signatureUnanswered = FailureCode(
        "signature-unanswered", .tryAgain,
        "The beacon verified the image, but did not report whether it accepts the signature. It was restarted; "
            + "the version that it runs shows whether it accepted the image.",
        next: "leave \(.awaitSignature) out if this firmware checks no signature")
    package let invalidBank = FailureCode(
        "invalid-bank", .failed, "The beacon has no such bank.",
        next: "let the beacon choose the bank: \(.bank, "0")")
    package let invalidImageHeader = FailureCode(
        "invalid-image-header", .failed,
        "The beacon does not take images of this family: their headers differ between DA1458x, DA1468x and "
            + "DA1469x.",
        next: "use the image that was built for the chip in this beacon")
    package let imageTooLarge = FailureCode(
        "image-too-large", .failed, "The image does not fit a bank of the beacon.",
        next: "build a smaller image")
    package let productHeaderMissing = FailureCode(
        "product-header-missing", .failed,
        "The beacon finds no product header, which says where its banks are. Wrong pins look the same.",
        next: "check the pins first; if they are right, the product header has to be written by cable")
    package let wrongPins = FailureCode(
        "wrong-pins", .failed, "The beacon cannot read its memory, usually because of wrong pins.",
        next: "give the pins of this product with \(.pins) or \(.profile); its maker or its schematic names "
            + "them")
    package let imageNotMarked = FailureCode(
        "image-not-marked", .failed, "The beacon has the image but could not mark it as valid.",
        next: "run the same command again; the old image is untouched")
    package let unknownStatus = FailureCode(
        "unknown-status", .failed, "The beacon refused with a status that its maker does not document.",
        next: "ask the maker of the beacon what it means")
    package let runningBankRisk = FailureCode(
        "running-bank-risk", .usage,
        "A bank was requested, and nothing on the air shows whether it holds the running image. If it "
            + "does, and power or link fail before the end, the beacon has no image left to start.",
        next: "let the beacon choose the bank with \(.bank, "0"), or take the risk with "
            + "\(.risk, "running-bank")")
    package let blockSizeInvalid = FailureCode(
        "block-size-invalid", .usage, "No beacon takes blocks of this size.", next: "leave \(.blockSize) out")
    package let chunkSizeInvalid = FailureCode(
        "chunk-size-invalid", .usage, "The beacon takes no packets of this size.",
        next: "leave \(.chunkSize) out")
    package let channelMissing = FailureCode(
        "channel-missing", .failed,
        "The beacon offers no channel, or the image is for a chip that never has one.",
        next: "leave \(.transport) out, or use \(.transport) gatt")
    package let channelRefused = FailureCode(
        "channel-refused", .failed, "The beacon offers a channel, but did not open it.",
        next: "leave \(.transport) out, or use \(.transport) gatt")
    package let defaultPins = FailureCode(
        "default-pins", .done,
        "A DA1458x or DA1453x has to be told how its memory is wired, and no pins were given; those of the "
            + "chip maker's own boards are used.",
        next: "name the pins of this product with \(.pins) or \(.profile); a product that is wired otherwise "
            + "refuses, and keeps its image")
    package let blockMayBeRefused = FailureCode(
        "block-may-be-refused", .done,
        "Older beacons take blocks of at most 256 bytes, and this one does not report that it is newer.",
        next: "use \(.blockSize, "240") if the beacon refuses")
    package let loneTrailer = FailureCode(
        "lone-trailer", .done,
        "With this block size the last block is the checksum byte alone, for which a beacon may erase a "
            + "sector.",
        next: "choose another \(.blockSize)")
    package let profileUnknown = FailureCode(
        "profile-unknown", .usage, "The profiles file has no profile of this name.",
        next: "use one of the names in the message, or give the pins with \(.pins)")
    package let profileInvalid = FailureCode(
        "profile-invalid", .badFile, "The profiles file cannot be used.",
        next: "correct the line that the message names; docs/formats/suota-profiles.md has every key")
}

extension FailureCode {
    package static let suota = SUOTACodes()
}

/// The meanings of a receiver's statuses, for `explain`.
extension DialogVendor {
    package var resultTables: [ResultTable] {
        [ResultTable("suota", "a status of a SUOTA receiver", example: "15", Self.statuses)]
    }

    private static let statuses: [UInt8: ResultTable.Entry] = [
        0x00: .init("no status yet", [.suota.imageNotMarked]),
        0x01: .init(.suota.patchService),
        0x02: .init("a block was accepted, or the whole image verified"),
        0x03: .init("the service was left", [.suota.serviceLeft]),
        0x04: .init("the XOR (58x) or CRC-32 (68x, 69x) of the image is wrong", [.device.imageCRCMismatch]),
        0x05: .init("the length of a block is wrong", [.suota.blockLengthRefused]),
        0x06: .init("the memory could not be erased or written", [.suota.flashWriteFailed]),
        0x07: .init(.suota.blockTooLarge),
        0x08: .init("the type of memory is wrong, or the update was abandoned", [.suota.memoryTypeRefused]),
        0x09: .init(.device.imageRefused),
        0x10: .init("the beacon is waiting for the image"),
        0x11: .init(.suota.invalidBank),
        0x12: .init("the header of the image is wrong", [.suota.invalidImageHeader]),
        0x13: .init(.suota.imageTooLarge),
        0x14: .init(.suota.productHeaderMissing),
        0x15: .init("the bank holds this image", [.finding.sameImage]),
        0x16: .init(.suota.wrongPins),
        0x17: .init("the inactive bank holds this image", [.finding.sameImage]),
        0x18: .init("a mode of HomeKit: legacy", [.suota.imageNotMarked]),
        0x19: .init("a mode of HomeKit: HAP", [.suota.imageNotMarked]),
        0x1A: .init("a mode of HomeKit: signed images", [.suota.imageNotMarked]),
        0x1B: .init("a mode of HomeKit: encrypted and signed images", [.suota.imageNotMarked]),
    ]
}
