import UpdateModel

extension NordicTargetCheck {
    /// Checks the SoftDevice list (init-packet.md, Checks: a table by generation).
    func softDeviceAnswer(_ packet: InitPacket, on state: State) -> Answer {
        let list = packet.softDeviceRequirements
        let type = packet.type ?? .application
        if generation == .sdk14, type == .softdeviceBootloader { return .pass }
        guard let softDevice = state.softDevice else {
            // SDK 15 and later accept these whatever is installed.
            return generation >= .sdk15 && list.first == 0 && list.count == 1
                && (type == .application || type == .bootloader || type == .softdeviceBootloader)
                ? .pass : .needs("softdevice")
        }
        let isTaken: Bool
        switch softDevice {
        case .none: isTaken = takesWithoutSoftDevice(list, type)
        case .installed(let id): isTaken = takes(list, type, on: id)
        }
        guard !isTaken else { return .pass }
        return .refuse(
            id: "softdevice-mismatch", code: generation.extended(0x07), Self.cause(list, softDevice))
    }

    private func takesWithoutSoftDevice(_ list: [UInt32], _ type: FirmwareType) -> Bool {
        generation >= .sdk15 && list.first ?? 0 == 0
    }

    private func takes(_ list: [UInt32], _ type: FirmwareType, on id: UInt32) -> Bool {
        guard let first = list.first else { return generation == .sdk15 && type != .softdevice }
        if first != 0 { return list.contains(id) }
        if generation < .sdk15 { return list.contains(id) }
        switch type {
        case .application: return list.count == 1 || generation == .sdk15
        case .bootloader, .softdeviceBootloader: return true
        default: return false
        }
    }

    private static func cause(_ list: [UInt32], _ softDevice: NordicTarget.SoftDevice) -> String {
        let wanted = list.isEmpty ? "no SoftDevice" : list.map(SoftDeviceNames.text).joined(separator: ", ")
        let has: String =
            switch softDevice {
            case .none: "none"
            case .installed(let id): SoftDeviceNames.text(of: id)
            }
        return "the package lists \(wanted), the target has \(has)"
    }

    func versionAnswer(_ packet: InitPacket, on state: State) -> Answer {
        let isSystem = packet.type == .bootloader || packet.type == .softdeviceBootloader
        if packet.type == .softdevice, packet.firmwareVersion == nil || generation < .sdk15 { return .pass }
        guard let version = packet.firmwareVersion else {
            return .refuse(
                id: "init-packet-invalid", code: generation.extended(0x04), "fw_version is missing")
        }
        // The highest version passes every comparison except the strict one with itself.
        if version == .max, !isSystem { return .pass }
        guard let installed = isSystem ? state.bootloader : state.application else {
            return isSystem ? .needs("bootloader") : target.applicationAnswer
        }
        let isHighEnough = isSystem ? version > installed : version >= installed
        guard !isHighEnough else { return .pass }
        let rule = isSystem ? "not above" : "below"
        return .refuse(
            id: "firmware-version-too-low", code: generation.extended(0x05),
            "version \(version) is \(rule) the installed \(installed)")
    }
}

extension NordicTargetCheck.State {
    /// Applies the part to the device's state.
    mutating func install(_ part: NordicPart) {
        switch part.role {
        case .application: application = part.initPacket.firmwareVersion
        case .bootloader: bootloader = part.initPacket.firmwareVersion
        case .softdevice: softDevice = part.softDevice.map { .installed($0.id) }
        case .softdeviceBootloader:
            softDevice = part.softDevice.map { .installed($0.id) }
            bootloader = part.initPacket.firmwareVersion
        }
    }
}
