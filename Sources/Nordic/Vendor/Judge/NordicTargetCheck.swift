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

    /// The responses when the init packet is executed.
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
            id: "insufficient-space", code: "04",
            "the init packet has \(packet.bytes.count) bytes, the limit is \(generation.packetLimit)")
    }

    /// Checks the limits of the bootloader's decoder.
    private func decodingAnswer(_ packet: InitPacket) -> Answer {
        let (list, checks) = (packet.softDeviceRequirements.count, packet.bootValidations.count)
        if list > generation.softDeviceLimit {
            return .refuse(
                id: "sd-req-too-long", code: "05",
                "sd_req has \(list) entries, the bootloader accepts \(generation.softDeviceLimit)")
        }
        if generation >= .sdk15u3, checks > 3 {
            return .refuse(
                id: "boot-validation-too-long", code: "05",
                "boot_validation has \(checks) entries, the bootloader accepts 3")
        }
        guard let hash = packet.hash, hash.bytes.count > 32 else { return .pass }
        return .refuse(
            id: "hash-length-wrong", code: "05",
            "the hash has \(hash.bytes.count) bytes, the bootloader accepts 32")
    }

    private func debugAnswer(_ packet: InitPacket) -> Answer {
        guard packet.isDebug, generation.checksVersionsFirst else { return .pass }
        return .refuse(id: "debug-refused", code: "0A", "the package is a debug package")
    }

    private func lengthAnswer(_ packet: InitPacket) -> Answer {
        guard packet.isSigned, packet.signedBytes.count > generation.signedLimit,
            !(target.takesUnsigned && packet.type == .application)
        else { return .pass }
        return .refuse(
            id: "signature-invalid", code: "05",
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
                id: "signature-missing", code: generation.extended(generation < .sdk15 ? 0x03 : 0x08),
                "the init packet is not signed")
        }
        if target.takesUnsigned, packet.type == .application { return .pass }
        guard signature.type == 0 else {
            return .refuse(
                id: "signature-type-unsupported", code: generation.extended(0x0B),
                "the signature is \(signature.typeName)")
        }
        guard signature.bytes.count == 64 else {
            return .refuse(
                id: "signature-length-wrong", code: signature.bytes.count < 64 ? "0A" : "05",
                "the signature has \(signature.bytes.count) bytes")
        }
        guard let key else { return .needs("public-key") }
        return packet.isSigned(by: key)
            ? .pass : .refuse(id: "signature-invalid", code: "05", "the signature is another key's")
    }

    private func typeAnswer(_ packet: InitPacket) -> Answer {
        switch packet.type {
        case nil where generation < .sdk15: .pass
        case .application?, .softdevice?, .bootloader?, .softdeviceBootloader?: .pass
        default:
            .refuse(
                id: "init-packet-invalid", code: generation.extended(0x04),
                packet.type == nil ? "the type is missing" : "this type is not accepted")
        }
    }

    private func hashTypeAnswer(_ packet: InitPacket) -> Answer {
        guard packet.hash?.type != .sha256 else { return .pass }
        return .refuse(
            id: "hash-type-unsupported", code: generation.extended(0x09),
            "the hash is not a SHA-256")
    }

    private func hardwareAnswer(_ packet: InitPacket) -> Answer {
        guard let wanted = packet.hardwareVersion else {
            return .refuse(
                id: "init-packet-invalid", code: generation.extended(0x04), "hw_version is missing")
        }
        guard let hardware = target.hardware else { return .needs("hardware") }
        guard wanted != hardware else { return .pass }
        return .refuse(
            id: "hardware-version-mismatch", code: generation.extended(0x06),
            "the package is for hardware \(wanted), the target is \(hardware)")
    }

    private func sizeAnswer(_ packet: InitPacket) -> Answer {
        guard packet.expectedImageBytes == 0 else { return .pass }
        return .refuse(
            id: "init-packet-invalid", code: generation < .sdk15 ? "03" : generation.extended(0x04),
            "the size is 0")
    }

    private func roomAnswer(_ part: NordicPart) -> Answer {
        guard let room = target.room else { return .pass }
        guard part.image.count > room else { return .pass }
        return .refuse(
            id: "insufficient-space", code: "04",
            "the image has \(part.image.count) bytes, the flash has space for \(room)")
    }

    private func hashAnswer(_ part: NordicPart) -> Answer {
        guard part.initPacket.hash?.type == .sha256, !part.hashMatches else { return .pass }
        return .refuse(
            id: "hash-mismatch", code: generation.extended(0x0C),
            "after the whole transfer the image does not match its hash")
    }
}
