/// The hardware that Adafruit's bootloader requires in an init packet: device type 0052, and for a SoftDevice or a
/// bootloader the revision of the chip (Adafruit_nRF52_Bootloader, `dfu_init.c`).
public enum AdafruitHardware {
    /// The device type that Adafruit's bootloader accepts.
    public static let deviceType: UInt16 = 0x0052

    /// The chip with this device revision, such as `nRF52840`; nil for a revision that Adafruit does not use.
    public static func chip(ofRevision revision: UInt16) -> String? {
        switch revision {
        case 0xADAF: "nRF52832"
        case 52833: "nRF52833"
        case 52840: "nRF52840"
        default: nil
        }
    }

    /// The chips that fit the firmware revision `text` of the bootloader, which includes the installed SoftDevice:
    /// `0.8.0 s140 6.1.1`, earlier `S132 2.0.1, 0.5.0`. Nil if the text is not in Adafruit's format.
    static func chips(ofBootloaderSaying text: String) -> [String]? {
        let words = text.lowercased().split { $0 == " " || $0 == "," }
        if words.contains("s132") { return ["nRF52832"] }
        return words.contains("s140") ? ["nRF52833", "nRF52840"] : nil
    }
}
