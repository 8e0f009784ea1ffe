import UpdateModel

/// Advice for a refusal of this particular image; `explain` has the general advice.
extension LegacyRefusal {
    /// Nil if there is nothing to add to the code's general advice. `quirks` are the device's.
    func remedy(of request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks) -> Advice? {
        switch (status, request) {
        case (Self.invalidState, .receive) where image.initPacket == nil:
            "rebuild the package with \(task: .build(.nordicLegacy)), which writes an init packet"
        case (Self.notSupported, .start) where image.role.isSystem:
            "install only the application; a bootloader that takes nothing else can only be replaced with a programmer"
        case (Self.sizeExceeded, .start): Self.space(image)
        case (Self.sizeExceeded, .beginInit), (Self.sizeExceeded, .completeInit):
            image.initPacket.map { Self.shorter($0) }
        case (Self.checksumWrong, .validate): image.initPacket.flatMap { Self.generation($0, quirks) }
        case (Self.checksumWrong, .completeInit), (Self.operationFailed, .completeInit),
            (Self.checksumWrong, .beginInit), (Self.operationFailed, .beginInit):
            image.initPacket.map { Self.device($0, image.role) }
        default: nil
        }
    }

    /// A single status covers everything that the template compares (nordic-legacy.md, Checks).
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
