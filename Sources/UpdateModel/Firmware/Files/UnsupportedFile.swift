/// A recognised file that is not a package this program reads.
public struct UnsupportedFile: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind, by its name in JSON output.
    public enum Kind: String, Hashable, CaseIterable, Sendable {
        /// An image or a package for MCUboot.
        case mcuboot
        /// A ZIP file without a manifest.
        case zip
        /// Any other archive or compressed file.
        case archive
        case intelHex = "intel-hex"
        case elf
        /// A program without a header.
        case rawBinary = "raw-binary"
        /// The content of the whole flash of a Dialog chip.
        case dialogFlashImage = "dialog-flash-image"
        case usbDFU = "usb-dfu"
        /// Firmware of a gateway that runs Linux.
        case gatewayFirmware = "gateway-firmware"
        /// Blocks for a bootloader that appears as a disk (UF2).
        case uf2
        case sRecord = "s-record"
        /// An image of Silicon Labs' bootloader (GBL).
        case gbl
        case zigbeeOTA = "zigbee-ota"
        /// The init packet of a Nordic package, without the image.
        case initPacket = "init-packet"
        /// A key or a certificate.
        case key
        case unknown
    }

    public let kind: Kind
    /// What the user can do about it, in one line.
    public let hint: Advice
    public let code: FailureCode
    /// Its content; nil if no vendor can read it.
    public let content: FileInspection?

    /// A file of `kind`, with a hint that replaces the kind's own.
    public init(
        _ kind: Kind, hint: Advice? = nil, code: FailureCode = .file.unsupportedFile,
        content: FileInspection? = nil
    ) {
        (self.kind, self.hint, self.code, self.content) = (kind, hint ?? kind.hint, code, content)
    }

    /// A file of `kind`. Its hint is the content that was `found`, followed by the kind's own hint.
    public init(_ kind: Kind, found: String, content: FileInspection? = nil) {
        self.init(kind, hint: "\(found); \(kind.hint)", content: content)
    }

    public var description: String { "\(kind.rawValue): \(hint)" }
}

extension UnsupportedFile.Kind {
    fileprivate var hint: Advice {
        switch self {
        case .archive: "unpack this archive or compressed file and pass the package inside"
        case .intelHex:
            "a hex file carries no version or signature; create a package with \(task: .build(nil))"
        case .elf: "convert it with objcopy -O ihex, then create a package with \(task: .build(nil))"
        case .rawBinary:
            "a bare program without version, hardware or checksum; create a package or an image from it with the "
                + "tool of the chip's vendor"
        case .usbDFU: "this file is for DFU over USB (for example with dfu-util), not over Bluetooth"
        case .gatewayFirmware:
            "this is firmware for a gateway, not for a beacon; update the gateway with its own web page or tool"
        case .uf2:
            "this is for a bootloader that appears as a disk: connect the board over USB and copy the file there; over "
                + "Bluetooth use the package (.zip) of that release, or create one from its .hex with \(task: .build(nil))"
        case .sRecord:
            "convert these S-records with objcopy -I srec -O ihex, then create a package with \(task: .build(nil))"
        case .gbl:
            "this is an image for Silicon Labs' bootloader; install it with the vendor's application"
        case .zigbeeOTA:
            "this is for an update over Zigbee: load it into the coordinator, for example Zigbee2MQTT or ZHA"
        case .key: "this is a key or a certificate, not firmware; pass it to an option for keys"
        // Vendors that recognise such a file give a hint of their own.
        case .mcuboot, .zip, .dialogFlashImage, .initPacket, .unknown:
            "not a firmware file we recognise; check that the download is complete"
        }
    }
}
