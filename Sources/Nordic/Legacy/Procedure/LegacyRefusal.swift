import Bytes
import UpdateModel

/// A status other than success (nordic-legacy.md, Refusals).
struct LegacyRefusal: Equatable, Sendable {
    let status: UInt8

    static let invalidState = LegacyRefusal(status: 0x02)
    static let notSupported = LegacyRefusal(status: 0x03)
    static let sizeExceeded = LegacyRefusal(status: 0x04)
    static let checksumWrong = LegacyRefusal(status: 0x05)
    static let operationFailed = LegacyRefusal(status: 0x06)

    /// Whether the device may accept the update from the beginning after a restart.
    func mayRepeat(_ request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks) -> Bool {
        switch (self, request) {
        case (.invalidState, .receive): image.initPacket != nil
        // If the device reads another field of the init packet as the checksum, a repetition fails too.
        case (.checksumWrong, .validate): image.initPacket.map { quirks.mayPass($0) } ?? true
        case (.invalidState, _), (.sizeExceeded, .receive), (.operationFailed, .receive): true
        default: false
        }
    }

    /// The code and cause for a refusal of `request` during an update with `image`; `quirks` are the device's.
    func failure(
        of request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks
    ) -> UpdateFailure {
        cause(request, image, quirks)
            .failure(during: request.step, "status 0x\(HexText.digits(status, uppercase: true))")
    }

    private func cause(_ request: LegacyRequest, _ image: LegacyImage, _ quirks: LegacyQuirks) -> RefusalCause
    {
        switch (self, request) {
        case (.invalidState, .receive) where image.initPacket == nil:
            .init(
                .nordicFinding.initPacketMissing,
                "the bootloader requires an init packet, but the package has none",
                "rebuild the package with \(task: .build(.nordicLegacy)), which writes an init packet")
        case (.invalidState, .validate):
            .init(.nordicRefusal.imageIncomplete, "the bootloader does not have the whole image")
        case (.invalidState, _):
            .init(.nordicRefusal.wrongState, "the bootloader is in the middle of another update")
        case (.notSupported, .start) where image.role.isSystem:
            .init(
                .nordicRefusal.imageTypeUnsupported,
                "the bootloader does not accept a \(image.role.rawValue) of \(image.bytes.count) bytes",
                "install only the application; a bootloader that takes nothing else can only be replaced with a "
                    + "programmer")
        case (.notSupported, .start):
            .init(
                .nordicRefusal.imageTypeUnsupported,
                "the bootloader does not accept an application in this form")
        case (.notSupported, .receive):
            .init(.nordicRefusal.packetLengthRefused, "the bootloader does not accept packets of this length")
        case (.notSupported, _):
            .init(.nordicRefusal.opcodeNotSupported, "the bootloader does not know this request")
        case (.sizeExceeded, .start):
            .init(
                .device.insufficientSpace, "the image of \(image.bytes.count) bytes does not fit the flash",
                Self.spaceAdvice(image))
        case (.sizeExceeded, .beginInit), (.sizeExceeded, .completeInit):
            .init(
                .nordicRefusal.initPacketTooLong,
                "the init packet of \(image.initPacket?.bytes.count ?? 0) bytes is longer than the bootloader accepts",
                image.initPacket.map { Self.shorteningAdvice($0, quirks) ?? NordicRefusalCodes.custom })
        case (.sizeExceeded, .receive):
            .init(.nordicRefusal.dataOverrun, "the bootloader has received more bytes than were announced")
        case (.checksumWrong, .validate):
            .init(
                .device.imageCRCMismatch, "the image in the beacon's flash does not match its checksum",
                image.initPacket.flatMap { Self.generationAdvice($0, quirks) })
        case (.operationFailed, .receive):
            .init(.nordicRefusal.tooFast, "packets arrive faster than the bootloader can write them")
        case (.checksumWrong, .completeInit), (.operationFailed, .completeInit),
            (.checksumWrong, .beginInit), (.operationFailed, .beginInit):
            .init(
                .nordicRefusal.initPacketRefused,
                "the beacon does not match the init packet: \(conditions(image))",
                image.initPacket.map { Self.initPacketAdvice($0, image.role, quirks) })
        case (.operationFailed, .start):
            .init(.nordicRefusal.operationFailed, "the bootloader could not erase its flash")
        case (.sizeExceeded, _), (.checksumWrong, _), (.operationFailed, _):
            .init(.nordicRefusal.operationFailed, "the bootloader reports an internal error")
        default: .undocumented
        }
    }

    /// The facts of the init packet that the bootloader may compare with its own values, buffer and key.
    private func conditions(_ image: LegacyImage) -> String {
        guard let packet = image.initPacket, !packet.isChecksumAlone else {
            return "only a checksum was sent"
        }
        let softDevices = packet.softDeviceRequirements.map {
            $0 == LegacyInitPacket.anySoftDevice ? "any" : $0.hex
        }
        return "device type \(packet.deviceType.hex), revision \(packet.deviceRevision.hex), SoftDevice "
            + (softDevices.isEmpty ? "none" : softDevices.joined(separator: " or "))
            + (packet.bytes.count > LegacyInitPacket.singleBankLimit ? ", \(packet.bytes.count) bytes" : "")
            + (packet.end.signature != nil ? ", signed" : "")
    }

    /// Advice on a refused init packet. One status covers everything that the bootloader may compare (nordic-legacy.md,
    /// Checks).
    private static func initPacketAdvice(
        _ packet: LegacyInitPacket, _ role: FirmwareRole, _ quirks: LegacyQuirks
    ) -> Advice {
        guard !packet.isChecksumAlone else {
            return
                "rebuild the package with \(task: .build(.nordicLegacy)), which writes an init packet that names "
                + "device and SoftDevices"
        }
        let shorter = shorteningAdvice(packet, quirks)
        // No bootloader compares the fields of a packet that does not fit.
        if packet.bytes.count > LegacyInitPacket.dualBankLimit, let shorter { return shorter }
        var ways = [shorter, softDeviceAdvice(packet, role, quirks)].compactMap(\.self)
        let type: Advice = "\(.deviceType) and \(.deviceRevision) of this product"
        ways.append(
            packet.deviceType == .max
                ? "build with \(type), because this packet names no type"
                : "use the package for this product, or build with \(type)")
        if quirks.mayVerifySignatures {
            ways.append(
                packet.end.signature != nil
                    ? "if the bootloader verifies signatures, sign with this product's key "
                        + "(\(task: .validate, .publicKey, "KEY") checks it)"
                    : "if the bootloader verifies signatures, build with \(.initPacketFormat, "0.8") and sign"
            )
        }
        return ways.dropFirst().reduce(ways[0]) { "\($0); \($1)" }
    }

    /// Advice on the list of SoftDevices; nil if the installed one cannot be the reason.
    private static func softDeviceAdvice(
        _ packet: LegacyInitPacket, _ role: FirmwareRole, _ quirks: LegacyQuirks
    ) -> Advice? {
        let list = packet.softDeviceRequirements
        guard !list.isEmpty else {
            let exception = quirks.mayVerifySignatures ? ", unless the bootloader verifies signatures" : ""
            return "build with \(.softDevices), because an empty list matches no SoftDevice\(exception)"
        }
        guard !list.contains(LegacyInitPacket.anySoftDevice), !quirks.hasListedSoftDevice else { return nil }
        let names = list.map { SoftDeviceNames.text(of: UInt32($0)) }.joined(separator: " or ")
        return role.isSystem
            ? "use it where \(names) is installed, or use the package for the SoftDevice on the unit"
            : "first bring the unit to \(names), or build with \(.softDevices) for the SoftDevice on the unit"
    }

    private static func generationAdvice(_ packet: LegacyInitPacket, _ quirks: LegacyQuirks) -> Advice? {
        guard !quirks.mayPass(packet) else { return nil }
        return quirks.readsDigest
            ? "build the package with \(.initPacketFormat, "0.7"): this bootloader reads a SHA-256 from the init packet"
            : "build the package with \(.initPacketFormat, "0.5"): the init packet is of generation "
                + "\(packet.end.generation?.rawValue ?? "unknown"), and stock bootloaders read a CRC16 where its "
                + "extension begins. If this bootloader was built for such packets, its flash did not hold the image: "
                + "flash again"
    }

    /// Advice on the length of the init packet; nil if it fits every bootloader.
    private static func shorteningAdvice(_ packet: LegacyInitPacket, _ quirks: LegacyQuirks) -> Advice? {
        guard packet.bytes.count > LegacyInitPacket.singleBankLimit else { return nil }
        let format = quirks.plainGeneration
        var ways: [Advice] = []
        if packet.end.generation != format {
            let exception =
                packet.end.signature != nil && quirks.mayVerifySignatures
                ? " unless the bootloader verifies signatures" : ""
            ways.append("\(.initPacketFormat, format.rawValue)\(exception)")
        }
        if packet.softDeviceRequirements.count > 1 { ways.append("fewer SoftDevices in \(.softDevices)") }
        let list = ways.dropFirst().reduce(ways.first ?? "without padding") { "\($0), \($1)" }
        return "build a shorter init packet (\(list)): this one has \(packet.bytes.count) bytes, bootloaders "
            + "accept up to \(LegacyInitPacket.singleBankLimit), those with two banks up to "
            + "\(LegacyInitPacket.dualBankLimit)"
    }

    private static func spaceAdvice(_ image: LegacyImage) -> Advice {
        image.role == .application
            ? "build an application of fewer than \(image.bytes.count) bytes; a bootloader with two banks accepts "
                + "half the size that one with a single bank accepts"
            : "use a package built for this unit's flash: this one has \(image.softDeviceSize) bytes of "
                + "SoftDevice and \(image.bootloaderSize) of bootloader"
    }
}
