import UpdateModel

enum SUOTAStep: String, Sendable {
    case preparing
    case starting = "starting the update"
    case sending = "transferring"
    case ending = "checking the whole image"
}

/// A status that ends an attempt, with its failure code, cause and remedy (dialog-suota.md, Codes).
struct SUOTARefusal: Sendable {
    let status: SUOTAStatus
    let step: SUOTAStep
    let image: SUOTAImage
    let preferences: SUOTAPreferences
    /// The block size in bytes; nil over a channel.
    let block: Int?

    private var isFor58x: Bool { image.header.family == .da1458x }

    private func failure(_ code: FailureCode, _ cause: String, _ remedy: Advice) -> UpdateFailure {
        UpdateFailure(code, during: step.rawValue, message: "\(cause) (status \(status))", remedy: remedy)
    }

    var failure: UpdateFailure {
        switch status.code {
        case 0x01:
            return failure(
                .suota.patchService, "the beacon has started its patch service, which takes no images",
                "restart the beacon and try again")
        case 0x03:
            return failure(
                .suota.serviceLeft,
                "the beacon has left the update: it requires exactly one connection, and memory for a buffer",
                "end other connections to the beacon, wait until it advertises again, and try again")
        case 0x04 where isFor58x:
            return failure(
                .device.imageCRCMismatch, "the XOR of the bytes received is not 0: bytes were lost",
                "try again nearer to the beacon")
        case 0x04:
            return failure(
                .device.imageCRCMismatch,
                "the CRC-32 of the bytes received does not match the header: bytes were lost",
                "try again nearer to the beacon, or with \(.transport, "gatt")")
        case 0x05:
            return failure(
                .suota.blockLengthRefused, "the beacon has lost count of the bytes of a block",
                "try again nearer to the beacon, or with \(.blockSize, "240")")
        case 0x06 where step == .ending:
            return failure(
                .suota.flashWriteFailed,
                "the beacon could not mark the new image as valid, or had none to mark",
                isFor58x
                    ? "check the pins (\(preferences.pins)), then try again"
                    : "restart the beacon and try again")
        case 0x06:
            return failure(
                .suota.flashWriteFailed,
                "the beacon could not erase or write its memory, or received more bytes than the header announces",
                isFor58x
                    ? "check the pins (\(preferences.pins)); if they are right, the memory is write-protected or worn out"
                    : "restart the beacon and try again; if that does not help, its flash is "
                        + "write-protected or worn out")
        case 0x07:
            return failure(
                .suota.blockTooLarge,
                "the beacon has no buffer for blocks of \(block.map(String.init) ?? "this many") bytes",
                "use \(.blockSize, "240"), which every beacon accepts")
        case 0x08:
            return failure(
                .suota.memoryTypeRefused,
                "the beacon keeps no images in \(preferences.pins.memory.name) memory, or has left the update",
                "use the pins of the beacon's memory: \(.pins) with miso, mosi, cs and sck for a flash, "
                    + "with scl, sda and address for an EEPROM")
        case 0x09:
            return failure(
                .device.imageRefused,
                "the beacon's application refuses the image, usually because of its signature",
                "use an image made and signed for this product")
        case 0x11:
            return failure(
                .suota.invalidBank, "the beacon has no bank \(preferences.bank.rawValue)",
                "let the beacon choose the bank: \(.bank, "0")")
        case 0x12:
            return failure(
                .suota.invalidImageHeader,
                "the beacon does not accept an image for \(image.header.family.chips): its header is of another family",
                "use the image built for the chip in this beacon")
        case 0x13:
            return failure(
                .suota.imageTooLarge,
                "the payload of \(image.header.codeSize) bytes does not fit a bank of the beacon",
                isFor58x
                    ? "build a smaller image: SDK 6 on 2 Mbit of flash accepts \(FlashBank.standard.payloadLimit) "
                        + "bytes, modules of 1 Mbit fewer"
                    : "build a smaller image: stock beacons accept 236 KiB")
        case 0x14:
            return failure(
                .suota.productHeaderMissing,
                "the beacon finds no product header, which has the offsets of its banks, in its memory",
                "check the pins first (\(preferences.pins)): wrong ones have the same effect. Otherwise the "
                    + "header is not where this firmware expects it (0x38000 with SDK 6, 0x1f000 on DA14580 and "
                    + "on modules of 1 Mbit), or the application has erased its sector: write it again by cable"
            )
        case 0x15, 0x17:
            return failure(
                .finding.sameImage,
                status.code == 0x17
                    ? "the beacon already has an image of this version and time, in the bank that is not running"
                    : "the bank to be overwritten already holds an image of this version and time",
                "check with \(task: .info) what it runs; if that is an older version, restart it: it may start "
                    + "that image. To install it again, build it with another version or time")
        case 0x16:
            return failure(
                .suota.wrongPins,
                "the beacon cannot read its memory, usually because of wrong pins (\(preferences.pins))",
                "give the pins of this product with \(.pins) or \(.profile); see the maker's documentation or "
                    + "the schematic")
        default:
            return step == .ending
                ? failure(
                    .suota.imageNotMarked, "the beacon has the image, but could not mark it as valid",
                    "try again; the old image is untouched")
                : failure(
                    .suota.unknownStatus, "the beacon refused for an undocumented reason",
                    "ask the beacon's maker what it means")
        }
    }
}
