/// A file that was recognised, but is not a package that this program reads.
public struct UnsupportedFile: Error, Hashable, Sendable {
    /// The kind, by its name in JSON output.
    public enum Kind: String, Hashable, CaseIterable, Sendable {
        /// An image or a package for MCUboot.
        case mcuboot
        /// A ZIP file without a manifest.
        case zip
        /// Any other archive or compressed file.
        case archive
        /// Intel HEX text.
        case intelHex = "intel-hex"
        /// An executable in ELF, as linkers write it.
        case elf
        /// A program without any header.
        case rawBinary = "raw-binary"
        /// The content of a Dialog chip's whole flash.
        case dialogFlashImage = "dialog-flash-image"
        /// A file for DFU over USB.
        case usbDFU = "usb-dfu"
        /// Firmware of a gateway that runs Linux.
        case gatewayFirmware = "gateway-firmware"
        /// Blocks for a bootloader that appears as a disk (UF2).
        case uf2
        /// Motorola S-records.
        case sRecord = "s-record"
        /// An image of Silicon Labs' bootloader (GBL).
        case gbl
        /// An image for Zigbee's updates over the air.
        case zigbeeOTA = "zigbee-ota"
        /// The init packet of a Nordic package, without the image.
        case initPacket = "init-packet"
        /// A key or a certificate.
        case key
        /// Anything else.
        case unknown
    }

    /// What the file is.
    public let kind: Kind
    /// What a person can do about it, one line.
    public let hint: Advice

    /// What is in it, where a vendor can tell.
    public let content: FileInspection?

    /// A file of `kind`, with another hint than the kind's own.
    public init(_ kind: Kind, hint: Advice? = nil, content: FileInspection? = nil) {
        self.kind = kind
        self.hint = hint ?? kind.hint
        self.content = content
    }

    /// The kind's own advice after what was `found` in the file.
    public init(_ kind: Kind, found: String, content: FileInspection? = nil) {
        self.init(kind, hint: "\(found); \(kind.hint)", content: content)
    }
}

extension UnsupportedFile: CustomStringConvertible {
    /// One line for people: the kind and the way out.
    public var description: String { "\(kind.rawValue): \(hint)" }
}

extension UnsupportedFile.Kind {
    fileprivate var hint: Advice {
        switch self {
        case .mcuboot: "update the device over SMP, for example with mcumgr; its bootloader is not Nordic's"
        case .zip: "a Nordic package has a manifest.json at its root; \(task: .build(nil)) makes one"
        case .archive: "this is a compressed file or an archive: unpack it and give the package inside"
        case .intelHex: "a hex file carries no version or signature; make a package with \(task: .build(nil))"
        case .elf: "convert it with objcopy -O ihex, then make a package with \(task: .build(nil))"
        case .rawBinary:
            "this is a program without version, hardware and checksum; make a package or an image of it with the "
                + "tool of the chip's vendor"
        case .dialogFlashImage:
            "this is a whole flash; updates over the air take the single image (.img) inside it"
        case .usbDFU: "this file is for DFU over USB, for example with dfu-util, not for Bluetooth"
        case .gatewayFirmware:
            "this is for a gateway, not for a beacon; update the gateway with its own page or tool"
        case .uf2:
            "this is for a bootloader that appears as a disk: connect the board over USB and copy the file there; over "
                + "Bluetooth give the package (.zip) of the same release, or make one of its .hex with \(task: .build(nil))"
        case .sRecord:
            "these are S-records: convert them with objcopy -I srec -O ihex, then make a package with \(task: .build(nil))"
        case .gbl:
            "this is an image for Silicon Labs' bootloader; install it with the application of the device's vendor"
        case .zigbeeOTA:
            "this is for an update over Zigbee: give it to the coordinator, for example Zigbee2MQTT or ZHA"
        case .initPacket:
            "this is the init packet of a package without its image: give the whole package (.zip), or zip it with image and "
                + "manifest.json"
        case .key: "this is a key or a certificate, not firmware; an option that asks for a key takes it"
        case .unknown:
            "this is not a known firmware format; check that the download is complete"
        }
    }
}
