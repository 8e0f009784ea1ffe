import FirmwareModel

/// What can be done about a refusal of this very image; the general advice is `explain`'s.
extension LegacyRefusal {
    /// Nil where nothing is known beyond the code's own next step. `quirks` are the device's.
    func remedy(of request: LegacyRequest, for image: LegacyImage, on quirks: LegacyQuirks) -> Advice? {
        switch (status, request) {
        case (Self.invalidState, .receive) where image.initPacket == nil:
            "build the package again with \(task: .build(.nordicLegacy)), which writes an init packet"
        case (Self.notSupported, .start) where image.role.isSystem:
            "install the application alone; a bootloader that takes nothing else is replaced by a programmer only"
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

    /// One status stands for all that the template compares (nordic-legacy.md, Checks).
    private static func device(_ packet: LegacyInitPacket, _ role: FirmwareRole) -> Advice {
        guard !packet.isChecksumAlone else {
            return
                "build the package again with \(task: .build(.nordicLegacy)), which writes an init packet that names "
                + "device and SoftDevices"
        }
        var ways: [Advice] = []
        if packet.bytes.count > LegacyInitPacket.singleBankLimit { ways.append(shorter(packet)) }
        let softDevices = packet.softDeviceRequirements
        if softDevices.isEmpty {
            ways.append("build with \(.softDevices), because an empty list fits no device")
        } else if !softDevices.contains(LegacyInitPacket.anySoftDevice) {
            let names = softDevices.map { SoftDeviceNames.text(of: UInt32($0)) }.joined(separator: " or ")
            ways.append(
                role.isSystem
                    ? "use it where \(names) is installed, or find the package for the SoftDevice on the device"
                    : "bring the device to \(names) first, or build with \(.softDevices) for the SoftDevice on the device"
            )
        }
        let type: Advice = "\(.deviceType) and \(.deviceRevision) of this product"
        ways.append(
            packet.deviceType == .max
                ? "build with \(type), because this packet names no type"
                : "use the package for this product, or build with \(type)")
        if packet.end.signature != nil {
            ways.append("sign with this product's key (\(task: .validate, .publicKey) compares)")
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
            + "\(packet.bytes.count) bytes, bootloaders have room for \(LegacyInitPacket.singleBankLimit), those with "
            + "two banks for \(LegacyInitPacket.dualBankLimit)"
    }

    private static func space(_ image: LegacyImage) -> Advice {
        image.role == .application
            ? "build an application of fewer than \(image.bytes.count) bytes; a bootloader with two banks has room for "
                + "half of what one with a single bank takes"
            : "use a package that was built for this device's flash: this one has \(image.softDeviceSize) bytes of "
                + "SoftDevice and \(image.bootloaderSize) of bootloader"
    }
}
