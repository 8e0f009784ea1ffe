import UpdateModel

/// Predicts the response of SDK 11's template to an init packet (nordic-legacy.md, Checks).
struct LegacyTargetCheck {
    let target: NordicTarget
    private static let anySoftDevice: UInt32 = 0xFFFE

    func answers(to package: LegacyPackage) -> [Answer] {
        package.parts.flatMap { part -> [Answer] in
            let size: Answer =
                part.image.count.isMultiple(of: 4)
                ? .pass
                : .refuse(
                    id: "image-not-aligned", code: "3",
                    "the image has \(part.image.count) bytes, not a multiple of 4")
            guard let packet = part.initPacket else { return [size] }
            guard !packet.isChecksumAlone else {
                return [size, .needs("whether the bootloader is from before SDK 7")]
            }
            return [size, softDeviceAnswer(packet), .needs("the device's type and revision")]
        }
    }

    private func softDeviceAnswer(_ packet: LegacyInitPacket) -> Answer {
        let list = packet.softDeviceRequirements.map { UInt32($0) }
        if list.contains(Self.anySoftDevice) { return .pass }
        guard case .installed(let id)? = target.softDevice else { return .needs("softdevice") }
        if list.contains(id) { return .pass }
        return .refuse(
            id: "softdevice-mismatch", code: "6", "the package does not list the target's SoftDevice")
    }
}
