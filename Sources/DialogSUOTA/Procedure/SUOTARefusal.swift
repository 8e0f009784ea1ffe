import FirmwareModel
import UpdateCore

/// The step of an update, as failures name it.
enum SUOTAStep: String, Sendable {
    case preparing
    case starting = "starting the update"
    case wiring = "setting the pins of the memory"
    case sending = "transferring"
    case ending = "checking the whole image"
    case rebooting
}

/// A status that ends an attempt: what it is called, why it comes, and what can be done (dialog-suota.md, Codes).
struct SUOTARefusal: Sendable {
    let status: SUOTAStatus
    let step: SUOTAStep
    let image: SUOTAImage
    let preferences: SUOTAPreferences
    /// Bytes of a block.
    let block: Int?

    var failure: UpdateFailure {
        let (code, cause, remedy) = words
        return UpdateFailure(
            FailureCode(rawValue: code), during: step.rawValue, message: "\(cause) (status \(status))",
            remedy: remedy)
    }

    private typealias Words = (code: String, cause: String, remedy: Advice?)

    private var words: Words {
        switch status.code {
        case 0x01:
            return (
                "patch-service", "the device has started its patch service, which takes no images",
                "restart the device and try again"
            )
        case 0x03: return left
        case 0x04: return checksum
        case 0x05:
            return (
                "block-length-refused", "the device has lost count of the bytes of a block",
                "try again nearer to the device, or with \(.blockSize, "240")"
            )
        case 0x06: return write
        case 0x07:
            return (
                "block-too-large",
                "the device has no room for blocks of \(block.map(String.init) ?? "so many") bytes",
                "use \(.blockSize, "240"), which every device takes"
            )
        case 0x08:
            return (
                "memory-type-refused",
                "the device keeps no images in \(preferences.pins.memory.name) memory, or has left the update",
                "use the pins of the memory that the device has: \(.pins) with miso, mosi, cs and sck for a flash, "
                    + "with scl, sda and address for an EEPROM"
            )
        case 0x09:
            return (
                "image-refused",
                "the device's own program refuses the image, as a rule because of its signature",
                "use an image that was made and signed for this product"
            )
        case 0x11:
            return (
                "invalid-bank", "the device has no bank \(preferences.bank.rawValue)",
                "leave the bank to the device: \(.bank, "0")"
            )
        case 0x12: return header
        case 0x13: return size
        case 0x14: return productHeader
        case 0x15: return same
        case 0x16: return read
        case 0x17: return same
        default: return step == .ending ? unmarked : unknown
        }
    }

    private var left: Words {
        (
            "service-left",
            "the device has left the update: it wants exactly one connection, and memory for a buffer",
            "end other connections to the device, wait until it advertises again, and try again"
        )
    }

    private var checksum: Words {
        image.header.family == .da1458x
            ? (
                "image-crc-mismatch",
                "the XOR of what the device has received is not 0: bytes were lost on the way",
                "try again nearer to the device"
            )
            : (
                "image-crc-mismatch",
                "the CRC-32 of what the device has received is not that of the header: bytes were lost on the way",
                "try again nearer to the device, or with \(.transport, "gatt")"
            )
    }

    private var write: Words {
        step == .ending
            ? (
                "flash-write-failed", "the device could not mark the new image as valid, or had none to mark",
                image.header.family == .da1458x
                    ? "check the pins (\(preferences.pins)), then try again"
                    : "restart the device and try again"
            )
            : (
                "flash-write-failed",
                "the device could not erase or write its memory, or got more bytes than the header announces",
                image.header.family == .da1458x
                    ? "check the pins (\(preferences.pins)); if they are right, the memory is write-protected or worn out"
                    : "restart the device and try again; if it stays so, its flash is write-protected or worn out"
            )
    }

    private var header: Words {
        (
            "invalid-image-header",
            "the device does not take an image for \(image.header.family.chips): its header is of another family",
            "use the image that was built for the chip in this device"
        )
    }

    private var size: Words {
        (
            "image-too-large",
            "the payload of \(image.header.codeSize) bytes does not fit a bank of the device",
            image.header.family == .da1458x
                ? "build a smaller image: SDK 6 on 2 Mbit of flash has room for \(FlashBank.standard.payloadLimit) "
                    + "bytes, modules of 1 Mbit for less"
                : "build a smaller image: stock devices take 236 KiB"
        )
    }

    private var productHeader: Words {
        (
            "product-header-missing",
            "the device finds no product header, which says where its banks are, in its memory",
            "check the pins first (\(preferences.pins)): wrong ones look the same. Else the header is not where this "
                + "firmware looks (0x38000 with SDK 6, 0x1f000 on DA14580 and on modules of 1 Mbit), or the "
                + "application has erased its sector: write it again by cable"
        )
    }

    private var same: Words {
        (
            "same-image",
            status.code == 0x17
                ? "the device has an image of this version and time already, in the bank that it does not run"
                : "the bank to be overwritten holds an image of this version and time already",
            "see with \(task: .info) what it runs; if that is an older version, restart it: it may start that image. To "
                + "install it again, build it with another version or time"
        )
    }

    private var read: Words {
        (
            "wrong-pins",
            "the device cannot read its memory, as a rule because of wrong pins (\(preferences.pins))",
            "give the pins of this product with \(.pins) or \(.profile); its maker or its schematic names them"
        )
    }

    private var unmarked: Words {
        (
            "image-not-marked", "the device has the image and could not mark it as valid",
            "try again; the old image is untouched"
        )
    }

    private var unknown: Words {
        (
            "unknown-status", "the device refused for a reason that is not documented",
            "ask the maker of the device what it means"
        )
    }
}
