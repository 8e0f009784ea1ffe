import UpdateModel

/// Predicts the response of a Secure bootloader, with its checks in its order (init-packet.md, Checks).
struct NordicTargetCheck {
    let target: NordicTarget
    let key: NordicPublicKey?

    /// The state of the device, which the parts of a package change.
    struct State {
        var softDevice: NordicTarget.SoftDevice?
        var application: UInt32?
        var bootloader: UInt32?
    }

    var generation: BootloaderGeneration { target.generation }

    /// The responses to all parts in order: each part finds what the earlier ones installed.
    func answers(to package: NordicPackage) -> [Answer] {
        var state = State(
            softDevice: target.softDevice, application: target.application,
            bootloader: target.bootloader)
        var answers: [Answer] = []
        for part in package.parts {
            answers += self.answers(to: part.initPacket, on: state) + [roomAnswer(part), hashAnswer(part)]
            answers += lastAnswers(to: part, on: state)
            state.install(part)
        }
        return answers
    }

    func answers(to packet: InitPacket, on state: State) -> [Answer] {
        let signature = [signatureAnswer(packet), lengthAnswer(packet)]
        let (type, hashType) = (typeAnswer(packet), hashTypeAnswer(packet))
        let device = [hardwareAnswer(packet), softDeviceAnswer(packet, on: state)]
        let version = versionAnswer(packet, on: state)
        let checks =
            generation.checksVersionsFirst
            ? [unsignedAnswer(packet), debugAnswer(packet)] + device + [type, version] + signature + [
                hashType
            ]
            : signature + [type, hashType] + device + [version]
        return [packetLengthAnswer(packet), decodingAnswer(packet)] + checks + [sizeAnswer(packet)]
    }

    private func packetLengthAnswer(_ packet: InitPacket) -> Answer {
        guard packet.bytes.count > generation.packetLimit else { return .pass }
        return .refuse(
            id: .device.insufficientSpace, code: "04",
            "the init packet has \(packet.bytes.count) bytes, the limit is \(generation.packetLimit)")
    }

    private func decodingAnswer(_ packet: InitPacket) -> Answer {
        let (list, checks) = (packet.softDeviceRequirements.count, packet.bootValidations.count)
        if list > generation.softDeviceLimit {
            return .refuse(
                id: .nordicFile.sdReqTooLong, code: "05",
                "sd_req has \(list) entries, the bootloader accepts \(generation.softDeviceLimit)")
        }
        if generation >= .sdk15u3, checks > 3 {
            return .refuse(
                id: .nordicFile.bootValidationTooLong, code: "05",
                "boot_validation has \(checks) entries, the bootloader accepts 3")
        }
        guard let hash = packet.hash, hash.bytes.count > 32 else { return .pass }
        return .refuse(
            id: .nordicFile.hashLengthWrong, code: "05",
            "the hash has \(hash.bytes.count) bytes, the bootloader accepts 32")
    }

    private func debugAnswer(_ packet: InitPacket) -> Answer {
        guard packet.isDebug, generation.checksVersionsFirst else { return .pass }
        return .refuse(id: .nordicFinding.debugRefused, code: "0A", "the package is a debug package")
    }

    private func lengthAnswer(_ packet: InitPacket) -> Answer {
        guard packet.isSigned, packet.signedBytes.count > generation.signedLimit,
            !(target.takesUnsigned && packet.type == .application)
        else { return .pass }
        return .refuse(
            id: .nordicRefusal.signatureInvalid, code: "05",
            "the signed part has \(packet.signedBytes.count) bytes, more than the bootloader can check")
    }

    /// Old bootloaders refuse an unsigned packet before they check its content.
    private func unsignedAnswer(_ packet: InitPacket) -> Answer {
        packet.signature == nil ? signatureAnswer(packet) : .pass
    }

    private func signatureAnswer(_ packet: InitPacket) -> Answer {
        guard let signature = packet.signature else {
            if target.takesUnsigned, packet.type == .application, !generation.checksVersionsFirst {
                return .pass
            }
            return .refuse(
                id: .nordicRefusal.signatureMissing,
                code: generation.extended(generation < .sdk15 ? 0x03 : 0x08),
                "the init packet is not signed")
        }
        if target.takesUnsigned, packet.type == .application { return .pass }
        guard signature.type == 0 else {
            return .refuse(
                id: .nordicRefusal.signatureTypeUnsupported, code: generation.extended(0x0B),
                "the signature is \(signature.typeName)")
        }
        guard signature.bytes.count == 64 else {
            return .refuse(
                id: .nordicFile.signatureLengthWrong, code: signature.bytes.count < 64 ? "0A" : "05",
                "the signature has \(signature.bytes.count) bytes")
        }
        guard let key else { return .needs("public-key") }
        return packet.isSigned(by: key)
            ? .pass
            : .refuse(id: .nordicRefusal.signatureInvalid, code: "05", "the signature is another key's")
    }

    private func typeAnswer(_ packet: InitPacket) -> Answer {
        switch packet.type {
        case nil where generation < .sdk15: .pass
        case .application?, .softdevice?, .bootloader?, .softdeviceBootloader?: .pass
        default:
            .refuse(
                id: .nordicRefusal.initPacketInvalid, code: generation.extended(0x04),
                packet.type == nil ? "the type is missing" : "this type is not accepted")
        }
    }

    private func hashTypeAnswer(_ packet: InitPacket) -> Answer {
        guard packet.hash?.type != .sha256 else { return .pass }
        return .refuse(
            id: .nordicFile.hashTypeUnsupported, code: generation.extended(0x09),
            "the hash is not a SHA-256")
    }

    private func hardwareAnswer(_ packet: InitPacket) -> Answer {
        guard let wanted = packet.hardwareVersion else {
            return .refuse(
                id: .nordicRefusal.initPacketInvalid, code: generation.extended(0x04), "hw_version is missing"
            )
        }
        guard let hardware = target.hardware else { return .needs("hardware") }
        guard wanted != hardware else { return .pass }
        return .refuse(
            id: .device.hardwareVersionMismatch, code: generation.extended(0x06),
            "the package is for hardware \(wanted), the target is \(hardware)")
    }

    private func sizeAnswer(_ packet: InitPacket) -> Answer {
        guard packet.expectedImageBytes == 0 else { return .pass }
        return .refuse(
            id: .nordicRefusal.initPacketInvalid,
            code: generation < .sdk15 ? "03" : generation.extended(0x04),
            "the size is 0")
    }

    private func roomAnswer(_ part: NordicPart) -> Answer {
        guard let room = target.room else { return .pass }
        guard part.image.count > room else { return .pass }
        return .refuse(
            id: .device.insufficientSpace, code: "04",
            "the image has \(part.image.count) bytes, the flash has space for \(room)")
    }

    private func hashAnswer(_ part: NordicPart) -> Answer {
        guard part.initPacket.hash?.type == .sha256, !part.hashMatches else { return .pass }
        return .refuse(
            id: .nordicFile.hashMismatch, code: generation.extended(0x0C),
            "after the whole transfer the image does not match its hash")
    }
}

extension NordicTargetCheck {
    /// The checks after the last byte (init-packet.md, Checks): until then the device accepts everything.
    func lastAnswers(to part: NordicPart, on state: State) -> [Answer] {
        bootValidationAnswers(part) + softDeviceImageAnswers(part, on: state)
    }

    private func bootValidationAnswers(_ part: NordicPart) -> [Answer] {
        guard generation >= .sdk15u3 else { return [] }
        let checks = part.initPacket.bootValidations
        var answers = checks.map { check -> Answer in
            if check.type > 3 {
                return .refuse(
                    id: .nordicFile.bootValidationUnknown, code: "05",
                    "boot validation \(check.type) is unknown")
            }
            guard check.type == 3, check.bytes.count != 64 else { return .pass }
            return .refuse(
                id: .nordicFile.bootValidationLengthWrong, code: "05",
                "the boot validation's signature has \(check.bytes.count) bytes")
        }
        if part.role == .softdeviceBootloader, checks.first?.type == 3, generation < .sdk17 {
            answers.append(
                .refuse(
                    id: .nordicFinding.bootValidationMisplaced, code: "05",
                    "the bootloader is checked with the SoftDevice's signature"))
        }
        return answers
    }

    /// A SoftDevice without a bootloader must not change its major version or, from SDK 16 on, its family.
    private func softDeviceImageAnswers(_ part: NordicPart, on state: State) -> [Answer] {
        guard part.role == .softdevice || part.role == .softdeviceBootloader else { return [] }
        guard let new = part.softDevice else {
            guard generation >= .sdk15 else { return [] }
            return [
                .refuse(
                    id: .nordicFinding.softdeviceUnrecognised, code: "05",
                    "the image has no SoftDevice's magic number")
            ]
        }
        guard part.role == .softdevice else { return [] }
        guard case .installed(let id)? = state.softDevice else { return [] }
        guard let old = Release(id), let new = Release(new.id) else {
            return [.needs("softdevice, by a known id")]
        }
        if old.major != new.major {
            return [
                .refuse(
                    id: .nordicRefusal.softdeviceMismatch, code: "05",
                    "a SoftDevice alone cannot change from version \(old.major) to \(new.major)")
            ]
        }
        guard generation >= .sdk16, old.family != new.family else { return [] }
        return [
            .refuse(
                id: .nordicRefusal.softdeviceMismatch, code: "05",
                "a SoftDevice alone cannot change from \(old.family) to \(new.family)")
        ]
    }

    private struct Release {
        let family: Substring
        let major: Substring

        init?(_ id: UInt32) {
            let words = SoftDeviceNames.name(of: id)?.split(separator: " ") ?? []
            guard words.count == 2, let major = words[1].split(separator: ".").first else { return nil }
            (family, self.major) = (words[0], major)
        }
    }
}

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
            id: .nordicRefusal.softdeviceMismatch, code: generation.extended(0x07),
            Self.cause(list, softDevice))
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
                id: .nordicRefusal.initPacketInvalid, code: generation.extended(0x04), "fw_version is missing"
            )
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
            id: .device.firmwareVersionTooLow, code: generation.extended(0x05),
            "version \(version) is \(rule) the installed \(installed)")
    }
}

extension NordicTargetCheck.State {
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
