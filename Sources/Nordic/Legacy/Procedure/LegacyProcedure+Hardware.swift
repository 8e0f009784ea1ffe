import Bytes
import UpdateModel

extension LegacyProcedure {
    /// Refuses an image whose init packet names hardware other than the bootloader's; the bootloader would only
    /// refuse it after erasing the application. Only Adafruit's bootloader reports its hardware (nordic-legacy.md,
    /// Checks).
    func checkHardware(in text: [UInt8]) throws(UpdateFailure) {
        let words = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        guard let chips = AdafruitHardware.chips(ofBootloaderSaying: words), !risks.contains(.wrongFamily),
            let packet = image.initPacket, !packet.isChecksumAlone
        else { return }
        func hex(_ value: UInt16) -> String { HexText.number(value, uppercase: true) }
        if packet.deviceType != AdafruitHardware.deviceType {
            throw mismatch(
                words, "accepts only device type \(hex(AdafruitHardware.deviceType))",
                "device type \(hex(packet.deviceType))")
        }
        guard image.role.isSystem else { return }
        let chip = AdafruitHardware.chip(ofRevision: packet.deviceRevision)
        guard chip.map(chips.contains) != true else { return }
        throw mismatch(
            words, "is on an \(chips.joined(separator: " or "))",
            "device revision \(hex(packet.deviceRevision))" + (chip.map { ", an \($0)" } ?? ""))
    }

    private func mismatch(_ words: String, _ taken: String, _ named: String) -> UpdateFailure {
        let own: Advice =
            "use the package for this product, or build with its \(.deviceType) and \(.deviceRevision)"
        return UpdateFailure(
            .hardwareMismatch, during: "asking the bootloader",
            message:
                "the bootloader reports '\(words)', so it is Adafruit's and \(taken); the init packet names "
                + "\(named); nothing was erased",
            remedy:
                "\(own); if it is not Adafruit's, \(.risk, "wrong-family") lets the bootloader decide")
    }
}
