import Bytes
import UpdateModel

/// A status other than success (nordic-legacy.md, Refusals).
struct LegacyRefusal: Equatable, Sendable {
    let status: UInt8

    static let invalidState: UInt8 = 0x02
    static let notSupported: UInt8 = 0x03
    static let sizeExceeded: UInt8 = 0x04
    static let checksumWrong: UInt8 = 0x05
    static let operationFailed: UInt8 = 0x06

    /// Whether the device may accept the update from the beginning after a restart.
    func mayRepeat(_ request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks) -> Bool {
        switch (status, request) {
        case (Self.invalidState, .receive): image.initPacket != nil
        // A permanent mismatch: the bytes that the device reads as a checksum are not one, so a repetition fails too.
        case (Self.checksumWrong, .validate): image.initPacket.map { quirks.mayPass($0) } ?? true
        case (Self.invalidState, _), (Self.sizeExceeded, .receive), (Self.operationFailed, .receive):
            true
        default: false
        }
    }

    /// The failure with its stable code and the cause, for a refusal of `request` during an update with `image`.
    func failure(
        of request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks
    ) -> UpdateFailure {
        let (code, cause) = cause(of: request, image)
        return UpdateFailure(
            FailureCode(rawValue: code), during: request.step,
            message: "\(cause) (status 0x\(HexText.digits(status, uppercase: true)))",
            remedy: remedy(of: request, for: image, on: quirks))
    }

    private func cause(of request: LegacyRequest, _ image: LegacyImage) -> (String, String) {
        switch (status, request) {
        case (Self.invalidState, .receive) where image.initPacket == nil:
            ("init-packet-missing", "the bootloader requires an init packet, but the package has none")
        case (Self.invalidState, .validate):
            ("image-incomplete", "the bootloader does not have the whole image")
        case (Self.invalidState, _):
            ("wrong-state", "the bootloader is in the middle of another update")
        case (Self.notSupported, .start) where image.role.isSystem:
            (
                "image-type-unsupported",
                "the bootloader does not accept a \(image.role.rawValue) of \(image.bytes.count) bytes"
            )
        case (Self.notSupported, .start):
            ("image-type-unsupported", "the bootloader does not accept an application in this form")
        case (Self.notSupported, .receive):
            ("packet-length-refused", "the bootloader does not accept packets of this length")
        case (Self.notSupported, _): ("opcode-not-supported", "the bootloader does not know this request")
        case (Self.sizeExceeded, .start):
            ("insufficient-space", "the image of \(image.bytes.count) bytes does not fit the flash")
        case (Self.sizeExceeded, .beginInit), (Self.sizeExceeded, .completeInit):
            (
                "init-packet-too-long",
                "the init packet of \(image.initPacket?.bytes.count ?? 0) bytes is longer than the bootloader accepts"
            )
        case (Self.sizeExceeded, .receive):
            ("data-overrun", "the bootloader has received more bytes than were announced")
        case (Self.checksumWrong, .validate):
            ("image-crc-mismatch", "the image in the beacon's flash does not match its checksum")
        case (Self.operationFailed, .receive):
            ("too-fast", "packets arrive faster than the bootloader can write them")
        case (Self.checksumWrong, .completeInit), (Self.operationFailed, .completeInit),
            (Self.checksumWrong, .beginInit), (Self.operationFailed, .beginInit):
            (
                "init-packet-refused",
                "the beacon does not match the init packet: \(conditions(image))"
            )
        case (Self.operationFailed, .start):
            ("operation-failed", "the bootloader could not erase its flash")
        case (Self.sizeExceeded, _), (Self.checksumWrong, _), (Self.operationFailed, _):
            ("operation-failed", "the bootloader reports an internal error")
        default: ("unknown-result", "the bootloader refused for an undocumented reason")
        }
    }

    /// The values that the bootloader compares with its own.
    private func conditions(_ image: LegacyImage) -> String {
        guard let packet = image.initPacket, !packet.isChecksumAlone else {
            return "only a checksum was sent"
        }
        func hex(_ value: UInt16) -> String { HexText.number(value, uppercase: true) }
        let softDevices = packet.softDeviceRequirements.map {
            $0 == LegacyInitPacket.anySoftDevice ? "any" : hex($0)
        }
        return "device type \(hex(packet.deviceType)), revision \(hex(packet.deviceRevision)), SoftDevice "
            + (softDevices.isEmpty ? "none" : softDevices.joined(separator: " or "))
    }
}
