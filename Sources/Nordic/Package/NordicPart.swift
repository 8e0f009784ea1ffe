import Bytes
package import UpdateModel

package struct NordicPart: Hashable, Sendable {
    /// The part's role, by its key in the manifest.
    package let role: FirmwareRole
    package let binFile: String
    package let datFile: String
    package let image: [UInt8]
    package let initPacket: InitPacket
    /// SHA-256 of ``image``.
    package let imageDigest: [UInt8]
    /// The manifest entry, with the packager's informational notes.
    package let manifest: PackageManifest.Part

    init(_ part: PackageManifest.Part, image: [UInt8], initPacket: InitPacket) {
        role = part.role
        binFile = part.binFile
        datFile = part.datFile
        self.image = image
        self.initPacket = initPacket
        imageDigest = SHA256Digest.digest(image)
        manifest = part
    }

    /// Whether the image is the one that the init packet was made for.
    package var hashMatches: Bool {
        guard let hash = initPacket.hash, hash.type == .sha256 else { return false }
        return hash.digest == imageDigest
    }

    package var sizeMatches: Bool { initPacket.expectedImageBytes == image.count }

    /// Whether the manifest and the init packet agree on what the part is.
    package var roleMatches: Bool { initPacket.type.map(role.matches) ?? false }
}

extension NordicPart {
    /// Warnings and notes: bootloaders may accept these, but a person should know before flashing.
    func adviceFindings() -> [Finding] {
        var found: [Finding] = []
        let packet = initPacket
        switch (role, packet.firmwareVersion) {
        case (_, nil):
            let words = "is missing; bootloaders that compare versions refuse that"
            found.append(warning(.nordicFinding.firmwareVersionMissing, "InitCommand.fw_version", words))
        case (.application, .max?):
            // No version is higher, so the device would never take another application.
            let words = "is the highest possible; no later update could follow"
            found.append(warning(.nordicFinding.firmwareVersionFinal, "InitCommand.fw_version", words))
        default: break
        }
        if !image.count.isMultiple(of: 4) {
            let words = "the image has \(image.count) bytes, not a multiple of 4"
            found.append(
                Finding(
                    .nordicFinding.imageNotAligned, .warning, Finding.Place(entry: binFile), words,
                    part: role.rawValue))
        }
        if packet.operation != 1 {
            let words = packet.operation.map { "is \($0), not 1; bootloaders ignore it" }
            found.append(
                note(
                    .nordicFinding.opCodeUnusual, "Command.op_code",
                    words ?? "is missing; bootloaders ignore it"
                ))
        }
        if packet.isDebug {
            found.append(
                note(
                    .nordicFinding.debug, "InitCommand.is_debug", "debug bootloaders skip the version checks")
            )
        }
        let unknown = packet.softDeviceRequirements.filter {
            $0 != 0 && $0 != Self.anySoftDevice && SoftDeviceNames.name(of: $0) == nil
        }
        if !unknown.isEmpty {
            let words =
                "not a known SoftDevice: \(Self.few(unknown.map { HexText.number($0) }))"
            found.append(note(.nordicFinding.sdReqUnknown, "InitCommand.sd_req", words))
        }
        if let first = packet.unknownFields.first {
            let places = packet.unknownFields.map { "\($0.message) \($0.number) at offset \($0.offset)" }
            found.append(
                note(
                    .nordicFinding.unknownField, first.message,
                    "not in the public schema: \(Self.few(places))"))
        }
        return found + metadataFindings()
    }

    /// The first few of many: a hostile packet may have thousands.
    private static func few(_ texts: [String]) -> String {
        let shown = texts.prefix(4).joined(separator: ", ")
        return texts.count > 4 ? "\(shown) and \(texts.count - 4) more" : shown
    }

    private func metadataFindings() -> [Finding] {
        let noted = [manifest.softdeviceSize, manifest.bootloaderSize]
        let said = [initPacket.softDeviceSize, initPacket.bootloaderSize].map { $0.map { Int($0) } }
        guard zip(noted, said).contains(where: { $0 != nil && $0 != $1 }) else { return [] }
        return [
            Finding(
                .nordicFinding.metadataMismatch, .warning,
                Finding.Place(
                    entry: PackageManifest.fileName,
                    field: "manifest.\(role.rawValue).info_read_only_metadata"),
                "has other sizes than the init packet", part: role.rawValue)
        ]
    }

    func error(_ code: FailureCode, _ field: String?, _ message: String) -> Finding {
        finding(code, .error, field, message)
    }

    func warning(_ code: FailureCode, _ field: String?, _ message: String) -> Finding {
        finding(code, .warning, field, message)
    }

    func note(_ code: FailureCode, _ field: String?, _ message: String) -> Finding {
        finding(code, .note, field, message)
    }

    private func finding(
        _ code: FailureCode, _ level: FindingLevel, _ field: String?, _ message: String
    ) -> Finding {
        Finding(code, level, Finding.Place(entry: datFile, field: field), message, part: role.rawValue)
    }
}

extension NordicPart {
    /// How bootloaders check the boot validations (init-packet.md, Boot validation).
    func bootCheckFindings(_ key: NordicPublicKey?) -> [Finding] {
        let checks = initPacket.bootValidations
        let field = "InitCommand.boot_validation"
        var found: [Finding] = []
        for check in checks {
            switch check.type {
            case 0...2 where !check.bytes.isEmpty:
                let words = "has \(check.bytes.count) bytes, which type \(check.name) does not use"
                found.append(note(.nordicFinding.bootValidationBytes, field, words))
            case 0...2: break
            case 3 where check.bytes.count != 64:
                let words = "has a signature of \(check.bytes.count) bytes, not 64"
                found.append(error(.nordicFile.bootValidationLengthWrong, field, words))
            case 3: break
            default:
                found.append(
                    error(
                        .nordicFile.bootValidationUnknown, field,
                        "has the unknown type \(check.type); 0 to 3 exist"))
            }
        }
        guard let first = checks.first, first.type == 3 else { return found }
        if initPacket.type == .softdeviceBootloader {
            let words =
                "begins with a signature; bootloaders of SDK 15.3 and 16 use it for the bootloader as well"
            found.append(warning(.nordicFinding.bootValidationMisplaced, field, words))
        }
        if let key, first.bytes.count == 64, !key.verifies(first.bytes, of: bootCheckedBytes) {
            found.append(
                error(.nordicFile.bootValidationInvalid, field, "was not made with this key over the image"))
        }
        return found
    }

    /// The bytes that the first entry covers: the image, or its SoftDevice if there is one.
    private var bootCheckedBytes: [UInt8] {
        guard initPacket.type == .softdeviceBootloader else { return image }
        return Array(image.prefix(Int(initPacket.softDeviceSize ?? 0)))
    }
}

extension NordicPart {
    /// All findings, errors first.
    ///
    /// With `key`, the signature is verified as a bootloader with that key would do it. The rules are those of nRF5
    /// SDK 15 to 17.1; where SDKs differ, the finding is a warning or a note.
    package func findings(key: NordicPublicKey? = nil) -> [Finding] {
        let all =
            imageFindings() + signatureFindings(key) + limitFindings() + bootCheckFindings(key)
            + softDeviceFindings() + adviceFindings()
        return all.errorsFirst
    }

    private func imageFindings() -> [Finding] {
        var found: [Finding] = []
        let packet = initPacket
        if let type = packet.type {
            if !roleMatches {
                let words = "says \(type.name), the manifest says \(role.rawValue)"
                found.append(error(.nordicFile.roleMismatch, "InitCommand.type", words))
            } else if let expected = packet.expectedImageBytes, expected != image.count {
                let words = "the image has \(image.count) bytes, the init packet announces \(expected)"
                found.append(error(.file.sizeMismatch, sizeField, words))
            }
        } else {
            found.append(error(.nordicFile.typeMissing, "InitCommand.type", "is missing"))
        }
        if let hash = packet.hash {
            if hash.type != .sha256 {
                found.append(
                    error(
                        .nordicFile.hashTypeUnsupported, "Hash.hash_type", "is \(hash.type.name), not sha256")
                )
            } else if hash.bytes.count != 32 {
                found.append(
                    error(.nordicFile.hashLengthWrong, "Hash.hash", "has \(hash.bytes.count) bytes, not 32"))
            } else if hash.digest != imageDigest {
                found.append(error(.nordicFile.hashMismatch, "Hash.hash", "is not the SHA-256 of \(binFile)"))
            }
        } else {
            found.append(error(.nordicFile.hashMissing, "InitCommand.hash", "is missing"))
        }
        return found
    }

    private func signatureFindings(_ key: NordicPublicKey?) -> [Finding] {
        let field = "SignedCommand.signature"
        guard let signature = initPacket.signature else {
            if key != nil {
                return [error(.nordicRefusal.signatureMissing, nil, "the init packet is not signed")]
            }
            return [
                warning(
                    .nordicFinding.unsigned, nil, "the init packet is not signed; most bootloaders refuse it")
            ]
        }
        if signature.type != 0 {
            let words = "is \(signature.typeName); bootloaders accept ecdsa-p256-sha256 only"
            return [error(.nordicRefusal.signatureTypeUnsupported, "SignedCommand.signature_type", words)]
        }
        if signature.bytes.count != 64 {
            return [
                error(.nordicFile.signatureLengthWrong, field, "has \(signature.bytes.count) bytes, not 64")
            ]
        }
        if let key, !initPacket.isSigned(by: key) {
            let words = "was not made with this key" + (signatureFlaw(key).map { "; \($0)" } ?? "")
            return [error(.nordicRefusal.signatureInvalid, field, words)]
        }
        if let known = NordicPublicKey.nrfutilDefault, initPacket.isSigned(by: known) {
            let words = "was made with the key in nrfutil's own source, which is public"
            return [warning(.nordicFinding.signedWithDefaultKey, field, words)]
        }
        return []
    }

    private func limitFindings() -> [Finding] {
        var found: [Finding] = []
        let packet = initPacket
        if packet.hardwareVersion == nil {
            found.append(error(.nordicFile.hardwareVersionMissing, "InitCommand.hw_version", "is missing"))
        }
        switch packet.softDeviceRequirements.count {
        case 0:
            let words = "is empty; bootloaders with a SoftDevice refuse that"
            found.append(warning(.nordicFinding.sdReqMissing, "InitCommand.sd_req", words))
        case 17...:
            let words = "has \(packet.softDeviceRequirements.count) entries, at most 16 allowed"
            found.append(error(.nordicFile.sdReqTooLong, "InitCommand.sd_req", words))
        default: break
        }
        if packet.bootValidations.count > 3 {
            let words = "has \(packet.bootValidations.count) entries, at most 3 allowed"
            found.append(error(.nordicFile.bootValidationTooLong, "InitCommand.boot_validation", words))
        }
        if packet.signedBytes.count > 127 {
            let words = "has \(packet.signedBytes.count) bytes; bootloaders before SDK 15.3 verify up to 127"
            found.append(note(.nordicFinding.initCommandLong, "Command.init", words))
        }
        return found
    }

    private var sizeField: String {
        switch role {
        case .application: "InitCommand.app_size"
        case .softdevice: "InitCommand.sd_size"
        case .bootloader: "InitCommand.bl_size"
        case .softdeviceBootloader: "InitCommand.sd_size + bl_size"
        }
    }
}

extension NordicPart {
    /// The packager's mistake, if `key` does not verify the signature for a known reason; nil for another key's
    /// signature.
    func signatureFlaw(_ key: NordicPublicKey) -> String? {
        guard let wire = initPacket.signature?.bytes, wire.count == 64 else { return nil }
        let turned = wire[..<32].reversed() + wire[32...].reversed()
        if key.verifies(turned, of: initPacket.signedBytes) {
            return "it would verify with both halves reversed (least significant byte first)"
        }
        let outer: [(String, [UInt8])] = [
            ("the command around the init command", initPacket.commandBytes), ("the image", image),
        ]
        for (what, bytes) in outer {
            for signature in [wire, turned] where key.verifies(signature, of: bytes) {
                return "it covers \(what) instead of the init command"
            }
        }
        return nil
    }
}

extension NordicPart {
    /// FFFE: any SoftDevice; only valid in images for external chips.
    static let anySoftDevice: UInt32 = 0xFFFE

    /// How bootloaders treat special entries in `sd_req` (init-packet.md, SoftDevice list).
    func softDeviceFindings() -> [Finding] {
        let list = initPacket.softDeviceRequirements
        let field = "InitCommand.sd_req"
        var found: [Finding] = []
        // If one id can match, the others do no harm.
        let isHopeless = !list.isEmpty && list.allSatisfy { $0 == Self.anySoftDevice || $0 > 0xFFFF }
        if isHopeless, list.contains(Self.anySoftDevice), initPacket.type != .externalApplication {
            let words = "0xfffe stands for any SoftDevice in external applications only; it matches none here"
            found.append(warning(.nordicFinding.sdReqWildcard, field, words))
        }
        if isHopeless, list.contains(where: { $0 > 0xFFFF }) {
            let words = "an id has 16 bits; a larger number matches no SoftDevice"
            found.append(warning(.nordicFinding.sdReqTooLarge, field, words))
        }
        guard list.first == 0 else { return found }
        switch initPacket.type {
        case .application where list.count == 1:
            let words = "is only 0 (no SoftDevice needed); SDK 14 bootloaders refuse that if one is installed"
            found.append(note(.nordicFinding.sdReqNone, field, words))
        case .application:
            let words = "begins with 0 before an id; bootloaders of SDK 15.3 and later refuse that"
            found.append(warning(.nordicFinding.sdReqLeadingZero, field, words))
        case .softdevice:
            let words = "begins with 0; bootloaders of SDK 15 and later refuse that for a SoftDevice"
            found.append(warning(.nordicFinding.sdReqLeadingZero, field, words))
        default: break
        }
        return found
    }
}
