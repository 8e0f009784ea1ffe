import UpdateModel

/// Predicts the response of a Secure bootloader, with its checks in its order (init-packet.md, Checks).
struct NordicTargetCheck {
    let target: NordicTarget
    let key: NordicPublicKey?

    private var generation: BootloaderGeneration { target.generation }

    /// The answers to all parts in sending order. Each part is checked against a device with the earlier parts installed.
    func answers(to package: NordicPackage) -> [Answer] {
        var target = target
        return package.parts.flatMap { part in
            let check = NordicTargetCheck(target: target, key: key)
            target.install(part)
            return check.answers(to: part.initPacket) + check.imageAnswers(part)
                + check.bootValidationAnswers(part) + [check.softDeviceImageAnswer(part)]
        }
    }

    @ListBuilder<Answer> func answers(to packet: InitPacket) -> [Answer] {
        decodingAnswers(packet)
        if generation.checksVersionsFirst {
            // Old bootloaders refuse an unsigned packet before they check its content.
            if packet.signature == nil { signatureAnswers(packet) }
            if packet.isDebug { refuse(.nordicFinding.debugRefused, "0A", "the package is a debug package") }
            hardwareAnswer(packet)
            softDeviceAnswer(packet)
            typeAnswer(packet)
            versionAnswer(packet)
            signatureAnswers(packet)
            hashTypeAnswer(packet)
        } else {
            signatureAnswers(packet)
            typeAnswer(packet)
            hashTypeAnswer(packet)
            hardwareAnswer(packet)
            softDeviceAnswer(packet)
            versionAnswer(packet)
        }
        if packet.expectedImageBytes == 0 {
            refuse(
                .nordicRefusal.initPacketInvalid, generation < .sdk15 ? "03" : generation.extended(0x04),
                "the size is 0")
        }
    }

    private func refuse(_ id: FailureCode, _ code: String, _ cause: String) -> Answer {
        .refuse(id: id, code: code, cause)
    }

    private func refuse(_ id: FailureCode, extended code: UInt8, _ cause: String) -> Answer {
        .refuse(id: id, code: generation.extended(code), cause)
    }

    @ListBuilder<Answer> private func decodingAnswers(_ packet: InitPacket) -> [Answer] {
        if packet.bytes.count > generation.packetLimit {
            refuse(
                .device.insufficientSpace, "04",
                "the init packet has \(packet.bytes.count) bytes, the limit is \(generation.packetLimit)")
        }
        let (list, checks) = (packet.softDeviceRequirements.count, packet.bootValidations.count)
        if list > generation.softDeviceLimit {
            refuse(
                .nordicFile.sdReqTooLong, "05",
                "sd_req has \(list) entries, the bootloader accepts \(generation.softDeviceLimit)")
        }
        if generation >= .sdk15Minor3, checks > 3 {
            refuse(
                .nordicFile.bootValidationTooLong, "05",
                "boot_validation has \(checks) entries, the bootloader accepts 3")
        }
        if let hash = packet.hash, hash.bytes.count > 32 {
            refuse(
                .nordicFile.hashLengthWrong, "05",
                "the hash has \(hash.bytes.count) bytes, the bootloader accepts 32")
        }
    }

    @ListBuilder<Answer> private func signatureAnswers(_ packet: InitPacket) -> [Answer] {
        let mayBeUnsigned = target.acceptsUnsigned && packet.type == .application
        if let signature = packet.signature {
            if !mayBeUnsigned {
                if signature.type != 0 {
                    refuse(
                        .nordicRefusal.signatureTypeUnsupported, extended: 0x0B,
                        "the signature is \(signature.typeName)")
                } else if signature.bytes.count != 64 {
                    refuse(
                        .nordicFile.signatureLengthWrong, signature.bytes.count < 64 ? "0A" : "05",
                        "the signature has \(signature.bytes.count) bytes")
                } else if let key {
                    if !packet.isSigned(by: key) {
                        refuse(.nordicRefusal.signatureInvalid, "05", "the signature is another key's")
                    }
                } else {
                    Answer.needs("public-key")
                }
                if packet.signedBytes.count > generation.signedLimit {
                    refuse(
                        .nordicRefusal.signatureInvalid, "05",
                        "the signed part has \(packet.signedBytes.count) bytes, more than the bootloader can check"
                    )
                }
            }
        } else if !mayBeUnsigned || generation.checksVersionsFirst {
            refuse(
                .nordicRefusal.signatureMissing, extended: generation < .sdk15 ? 0x03 : 0x08,
                "the init packet is not signed")
        }
    }

    private func typeAnswer(_ packet: InitPacket) -> Answer {
        switch packet.type {
        case nil where generation < .sdk15: .pass
        case .application?, .softdevice?, .bootloader?, .softdeviceBootloader?: .pass
        case nil: refuse(.nordicRefusal.initPacketInvalid, extended: 0x04, "the type is missing")
        default: refuse(.nordicRefusal.initPacketInvalid, extended: 0x04, "this type is not accepted")
        }
    }

    private func hashTypeAnswer(_ packet: InitPacket) -> Answer {
        guard packet.hash?.type != ImageHash.sha256 else { return .pass }
        return refuse(.nordicFile.hashTypeUnsupported, extended: 0x09, "the hash is not a SHA-256")
    }

    private func hardwareAnswer(_ packet: InitPacket) -> Answer {
        guard let wanted = packet.hardwareVersion else {
            return refuse(.nordicRefusal.initPacketInvalid, extended: 0x04, "hw_version is missing")
        }
        guard let hardware = target.hardware else { return .needs("hardware") }
        guard wanted != hardware else { return .pass }
        return refuse(
            .device.hardwareVersionMismatch, extended: 0x06,
            "the package is for hardware \(wanted), the target is \(hardware)")
    }

    @ListBuilder<Answer> private func imageAnswers(_ part: NordicPart) -> [Answer] {
        if let space = target.space, part.image.count > space {
            refuse(
                .device.insufficientSpace, "04",
                "the image has \(part.image.count) bytes, the flash has space for \(space)")
        }
        if part.initPacket.hash?.type == ImageHash.sha256, !part.hashMatches {
            refuse(
                .nordicFile.hashMismatch, extended: 0x0C,
                "after the whole transfer the image does not match its hash")
        }
    }
}

/// The checks after the last byte, until which the device accepts everything (init-packet.md, Checks).
extension NordicTargetCheck {
    @ListBuilder<Answer> private func bootValidationAnswers(_ part: NordicPart) -> [Answer] {
        let checks = generation >= .sdk15Minor3 ? part.initPacket.bootValidations : []
        for check in checks {
            if check.type > 3 {
                refuse(.nordicFile.bootValidationUnknown, "05", "boot validation \(check.type) is unknown")
            } else if check.type == 3, check.bytes.count != 64 {
                refuse(
                    .nordicFile.bootValidationLengthWrong, "05",
                    "the boot validation's signature has \(check.bytes.count) bytes")
            }
        }
        if part.role == .softdeviceBootloader, checks.first?.type == 3, generation < .sdk17 {
            refuse(
                .nordicFinding.bootValidationMisplaced, "05",
                "the bootloader is checked with the SoftDevice's signature")
        }
    }

    /// A SoftDevice without a bootloader must not change its major version or, from SDK 16 on, its family.
    private func softDeviceImageAnswer(_ part: NordicPart) -> Answer {
        guard part.role.carriesSoftDevice else { return .pass }
        guard let new = part.softDevice else {
            guard generation >= .sdk15 else { return .pass }
            let flaw = "the image has no SoftDevice's magic number"
            return refuse(.nordicFinding.softdeviceUnrecognised, "05", flaw)
        }
        guard part.role == .softdevice, case .installed(let id)? = target.softDevice else { return .pass }
        guard let old = Release(id), let new = Release(new.id) else {
            return .needs("softdevice, by a known id")
        }
        let change: String
        if old.major != new.major {
            change = "version \(old.major) to \(new.major)"
        } else if generation >= .sdk16, old.family != new.family {
            change = "\(old.family) to \(new.family)"
        } else {
            return .pass
        }
        let flaw = "a SoftDevice alone cannot change from \(change)"
        return refuse(.nordicRefusal.softdeviceMismatch, "05", flaw)
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

    /// Checks the SoftDevice list (init-packet.md, Checks: a table by generation).
    private func softDeviceAnswer(_ packet: InitPacket) -> Answer {
        let list = packet.softDeviceRequirements
        let type = packet.type ?? .application
        if generation == .sdk14, type == .softdeviceBootloader { return .pass }
        let isAccepted: Bool
        let has: String
        switch target.softDevice {
        case nil:
            // SDK 15 and later accept this list whatever is installed.
            return generation >= .sdk15 && list == [0]
                && [.application, .bootloader, .softdeviceBootloader].contains(type)
                ? .pass : .needs("softdevice")
        case .some(.none): (isAccepted, has) = (generation >= .sdk15 && list.first ?? 0 == 0, "none")
        case .installed(let id)?:
            (isAccepted, has) = (accepts(list, type, on: id), SoftDeviceNames.text(of: id))
        }
        guard !isAccepted else { return .pass }
        let wanted = list.isEmpty ? "no SoftDevice" : list.map(SoftDeviceNames.text).joined(separator: ", ")
        return refuse(
            .nordicRefusal.softdeviceMismatch, extended: 0x07,
            "the package lists \(wanted), the target has \(has)")
    }

    private func accepts(_ list: [UInt32], _ type: FirmwareType, on id: UInt32) -> Bool {
        guard let first = list.first else { return generation == .sdk15 && type != .softdevice }
        if first != 0 || generation < .sdk15 { return list.contains(id) }
        switch type {
        case .application: return list.count == 1 || generation == .sdk15
        case .bootloader, .softdeviceBootloader: return true
        default: return false
        }
    }

    private func versionAnswer(_ packet: InitPacket) -> Answer {
        let isSystem = packet.type == .bootloader || packet.type == .softdeviceBootloader
        if packet.type == .softdevice, packet.firmwareVersion == nil || generation < .sdk15 { return .pass }
        guard let version = packet.firmwareVersion else {
            return refuse(.nordicRefusal.initPacketInvalid, extended: 0x04, "fw_version is missing")
        }
        // The highest version is never below the installed one, so that need not be known.
        if version == .max, !isSystem { return .pass }
        guard let installed = isSystem ? target.bootloader : target.application else {
            return isSystem ? .needs("bootloader") : target.applicationAnswer
        }
        guard isSystem ? version <= installed : version < installed else { return .pass }
        let flaw = "version \(version) is \(isSystem ? "not above" : "below") the installed \(installed)"
        return refuse(.device.firmwareVersionTooLow, extended: 0x05, flaw)
    }
}

extension NordicTarget {
    mutating func install(_ part: NordicPart) {
        if part.role.carriesSoftDevice { softDevice = part.softDevice.map { .installed($0.id) } }
        if part.role.carriesBootloader { bootloader = part.initPacket.firmwareVersion }
        if part.role == .application { application = part.initPacket.firmwareVersion }
    }
}
