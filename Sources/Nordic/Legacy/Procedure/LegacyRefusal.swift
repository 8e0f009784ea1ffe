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
        // If what the device reads as a checksum is another field of the init packet, a repetition fails too.
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
                Self.space(image))
        case (.sizeExceeded, .beginInit), (.sizeExceeded, .completeInit):
            .init(
                .nordicRefusal.initPacketTooLong,
                "the init packet of \(image.initPacket?.bytes.count ?? 0) bytes is longer than the bootloader accepts",
                image.initPacket.map(Self.shorter))
        case (.sizeExceeded, .receive):
            .init(.nordicRefusal.dataOverrun, "the bootloader has received more bytes than were announced")
        case (.checksumWrong, .validate):
            .init(
                .device.imageCRCMismatch, "the image in the beacon's flash does not match its checksum",
                image.initPacket.flatMap { Self.generation($0, quirks) })
        case (.operationFailed, .receive):
            .init(.nordicRefusal.tooFast, "packets arrive faster than the bootloader can write them")
        case (.checksumWrong, .completeInit), (.operationFailed, .completeInit),
            (.checksumWrong, .beginInit), (.operationFailed, .beginInit):
            .init(
                .nordicRefusal.initPacketRefused,
                "the beacon does not match the init packet: \(conditions(image))",
                image.initPacket.map { Self.device($0, image.role) })
        case (.operationFailed, .start):
            .init(.nordicRefusal.operationFailed, "the bootloader could not erase its flash")
        case (.sizeExceeded, _), (.checksumWrong, _), (.operationFailed, _):
            .init(.nordicRefusal.operationFailed, "the bootloader reports an internal error")
        default: .undocumented
        }
    }

    /// The values that the bootloader compares with its own.
    private func conditions(_ image: LegacyImage) -> String {
        guard let packet = image.initPacket, !packet.isChecksumAlone else {
            return "only a checksum was sent"
        }
        let softDevices = packet.softDeviceRequirements.map {
            $0 == LegacyInitPacket.anySoftDevice ? "any" : $0.hex
        }
        return "device type \(packet.deviceType.hex), revision \(packet.deviceRevision.hex), SoftDevice "
            + (softDevices.isEmpty ? "none" : softDevices.joined(separator: " or "))
    }

    /// Advice on a refused init packet: one status covers everything that is compared (nordic-legacy.md, Checks).
    private static func device(_ packet: LegacyInitPacket, _ role: FirmwareRole) -> Advice {
        guard !packet.isChecksumAlone else {
            return
                "rebuild the package with \(task: .build(.nordicLegacy)), which writes an init packet that names "
                + "device and SoftDevices"
        }
        var ways: [Advice] = []
        if packet.bytes.count > LegacyInitPacket.singleBankLimit { ways.append(shorter(packet)) }
        let softDevices = packet.softDeviceRequirements
        if softDevices.isEmpty {
            ways.append("build with \(.softDevices), because an empty list matches no SoftDevice")
        } else if !softDevices.contains(LegacyInitPacket.anySoftDevice) {
            let names = softDevices.map { SoftDeviceNames.text(of: UInt32($0)) }.joined(separator: " or ")
            ways.append(
                role.isSystem
                    ? "use it where \(names) is installed, or use the package for the SoftDevice on the unit"
                    : "first bring the unit to \(names), or build with \(.softDevices) for the SoftDevice on the unit"
            )
        }
        let type: Advice = "\(.deviceType) and \(.deviceRevision) of this product"
        ways.append(
            packet.deviceType == .max
                ? "build with \(type), because this packet names no type"
                : "use the package for this product, or build with \(type)")
        if packet.end.signature != nil {
            ways.append("sign with this product's key (\(task: .validate, .publicKey) checks it)")
        }
        return ways.dropFirst().reduce(ways[0]) { "\($0); \($1)" }
    }

    private static func generation(_ packet: LegacyInitPacket, _ quirks: LegacyQuirks) -> Advice? {
        guard !quirks.mayPass(packet) else { return nil }
        return quirks.readsDigest
            ? "build the package with \(.initPacketFormat, "0.7"): this bootloader reads a SHA-256 from the init packet"
            : "build the package with \(.initPacketFormat, "0.5"): the init packet is of generation "
                + "\(packet.end.generation?.rawValue ?? "unknown"), and stock bootloaders read a CRC16 where its "
                + "extension begins. If this bootloader was built for such packets, its flash did not hold the image: "
                + "flash again"
    }

    private static func shorter(_ packet: LegacyInitPacket) -> Advice {
        "build a shorter init packet (\(.initPacketFormat, "0.5"), fewer SoftDevices in \(.softDevices)): this one has "
            + "\(packet.bytes.count) bytes, bootloaders accept up to \(LegacyInitPacket.singleBankLimit), those with "
            + "two banks up to \(LegacyInitPacket.dualBankLimit)"
    }

    private static func space(_ image: LegacyImage) -> Advice {
        image.role == .application
            ? "build an application of fewer than \(image.bytes.count) bytes; a bootloader with two banks accepts "
                + "half the size that one with a single bank accepts"
            : "use a package built for this unit's flash: this one has \(image.softDeviceSize) bytes of "
                + "SoftDevice and \(image.bootloaderSize) of bootloader"
    }
}

package struct LegacyImage: Equatable, Sendable {
    package let role: FirmwareRole
    package let bytes: [UInt8]
    /// The init packet; nil if the package has none, as before SDK 7.
    package let initPacket: LegacyInitPacket?
    /// Bytes of the SoftDevice, which comes first in the image.
    package let softDeviceSize: Int
    package let bootloaderSize: Int

    /// Sizes in bytes; nil for a size that follows from the role, because the image is only one program.
    package init(
        role: FirmwareRole = .application, bytes: [UInt8], initPacket: LegacyInitPacket?,
        softDeviceSize: Int? = nil, bootloaderSize: Int? = nil
    ) {
        (self.role, self.bytes, self.initPacket) = (role, bytes, initPacket)
        self.softDeviceSize = softDeviceSize ?? (role == .softdevice ? bytes.count : 0)
        self.bootloaderSize = bootloaderSize ?? (role == .bootloader ? bytes.count : 0)
    }

    package init(_ part: LegacyPart) {
        self.init(
            role: part.role, bytes: part.image, initPacket: part.initPacket,
            softDeviceSize: part.softDeviceSize, bootloaderSize: part.bootloaderSize)
    }

    package var applicationSize: Int { role == .application ? bytes.count : 0 }

    var sizes: [Int] { [softDeviceSize, bootloaderSize, applicationSize] }

    /// Which images Start announces: bit 0 the SoftDevice, bit 1 the bootloader, bit 2 the application.
    var mode: UInt8 {
        switch role {
        case .softdevice: 1
        case .bootloader: 2
        case .softdeviceBootloader: 3
        case .application: 4
        }
    }
}
