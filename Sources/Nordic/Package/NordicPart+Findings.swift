import Bytes
package import UpdateModel

extension NordicPart {
    /// All findings, errors first, by the rules of SDK 15 to 17.1. What only some of these refuse is a warning or a note.
    package func findings(key: NordicPublicKey? = nil) -> [Finding] {
        let all =
            imageFindings + signatureFindings(key) + limitFindings + bootCheckFindings(key)
            + softDeviceFindings + adviceFindings
        return all.errorsFirst
    }

    @ListBuilder<Finding> private var imageFindings: [Finding] {
        if let type = initPacket.type {
            if !roleMatches {
                error(
                    .nordicFile.roleMismatch, "InitCommand.type",
                    "says \(type.name), the manifest says \(role.rawValue)")
            } else if let expected = initPacket.expectedImageBytes, expected != image.count {
                error(
                    .file.sizeMismatch, sizeField,
                    "the image has \(image.count) bytes, the init packet announces \(expected)")
            }
        } else {
            error(.nordicFile.typeMissing, "InitCommand.type", "is missing")
        }
        if let hash = initPacket.hash {
            if hash.type != ImageHash.sha256 {
                error(.nordicFile.hashTypeUnsupported, "Hash.hash_type", "is \(hash.typeName), not sha256")
            } else if hash.bytes.count != 32 {
                error(.nordicFile.hashLengthWrong, "Hash.hash", "has \(hash.bytes.count) bytes, not 32")
            } else if hash.digest != imageDigest {
                error(.nordicFile.hashMismatch, "Hash.hash", "is not the SHA-256 of \(binFile)")
            }
        } else {
            error(.nordicFile.hashMissing, "InitCommand.hash", "is missing")
        }
    }

    private var sizeField: String {
        switch role {
        case .application: "InitCommand.app_size"
        case .softdevice: "InitCommand.sd_size"
        case .bootloader: "InitCommand.bl_size"
        case .softdeviceBootloader: "InitCommand.sd_size + bl_size"
        }
    }

    @ListBuilder<Finding> private func signatureFindings(_ key: NordicPublicKey?) -> [Finding] {
        let field = "SignedCommand.signature"
        if let signature = initPacket.signature {
            if signature.type != 0 {
                error(
                    .nordicRefusal.signatureTypeUnsupported, "SignedCommand.signature_type",
                    "is \(signature.typeName); bootloaders accept ecdsa-p256-sha256 only")
            } else if signature.bytes.count != 64 {
                error(.nordicFile.signatureLengthWrong, field, "has \(signature.bytes.count) bytes, not 64")
            } else if let key, !initPacket.isSigned(by: key) {
                error(
                    .nordicRefusal.signatureInvalid, field,
                    "was not made with this key" + (signatureFlaw(key).map { "; \($0)" } ?? ""))
            } else if let known = NordicPublicKey.defaultKey, initPacket.isSigned(by: known) {
                warning(
                    .nordicFinding.signedWithDefaultKey, field,
                    "was made with the key in nrfutil's own source, which is public")
            }
        } else if key != nil {
            error(.nordicRefusal.signatureMissing, nil, "the init packet is not signed")
        } else {
            warning(.nordicFinding.unsigned, nil, "the init packet is not signed; most bootloaders refuse it")
        }
    }

    /// The packager's mistake because of which `key` does not verify the signature; nil if another key made it.
    private func signatureFlaw(_ key: NordicPublicKey) -> String? {
        guard let wire = initPacket.signature?.bytes, wire.count == 64 else { return nil }
        let reversed = wire[..<32].reversed() + wire[32...].reversed()
        if key.verifies(reversed, of: initPacket.signedBytes) {
            return "it would verify with both halves reversed (least significant byte first)"
        }
        let outer: [(String, [UInt8])] = [
            ("the command around the init command", initPacket.commandBytes), ("the image", image),
        ]
        for (what, bytes) in outer {
            for signature in [wire, reversed] where key.verifies(signature, of: bytes) {
                return "it covers \(what) instead of the init command"
            }
        }
        return nil
    }

    @ListBuilder<Finding> private var limitFindings: [Finding] {
        if initPacket.hardwareVersion == nil {
            error(.nordicFile.hardwareVersionMissing, "InitCommand.hw_version", "is missing")
        }
        let ids = initPacket.softDeviceRequirements.count
        if ids == 0 {
            warning(
                .nordicFinding.sdReqMissing, "InitCommand.sd_req",
                "is empty; bootloaders with a SoftDevice refuse that")
        } else if ids > 16 {
            error(.nordicFile.sdReqTooLong, "InitCommand.sd_req", "has \(ids) entries, at most 16 allowed")
        }
        let checks = initPacket.bootValidations.count
        if checks > 3 {
            error(
                .nordicFile.bootValidationTooLong, "InitCommand.boot_validation",
                "has \(checks) entries, at most 3 allowed")
        }
        let signed = initPacket.signedBytes.count
        if signed > 127 {
            note(
                .nordicFinding.initCommandLong, "Command.init",
                "has \(signed) bytes; bootloaders before SDK 15.3 verify up to 127")
        }
    }

    /// Findings by the rules of bootloaders for boot validations (init-packet.md, Boot validation).
    @ListBuilder<Finding> private func bootCheckFindings(_ key: NordicPublicKey?) -> [Finding] {
        let field = "InitCommand.boot_validation"
        for check in initPacket.bootValidations {
            switch check.type {
            case 0...2 where !check.bytes.isEmpty:
                note(
                    .nordicFinding.bootValidationBytes, field,
                    "has \(check.bytes.count) bytes, which type \(check.name) does not use")
            case 3 where check.bytes.count != 64:
                error(
                    .nordicFile.bootValidationLengthWrong, field,
                    "has a signature of \(check.bytes.count) bytes, not 64")
            case 0...3: []
            default:
                error(
                    .nordicFile.bootValidationUnknown, field,
                    "has the unknown type \(check.type); 0 to 3 exist")
            }
        }
        if let first = initPacket.bootValidations.first, first.type == 3 {
            if initPacket.type == .softdeviceBootloader {
                warning(
                    .nordicFinding.bootValidationMisplaced, field,
                    "begins with a signature; bootloaders of SDK 15.3 and 16 use it for the bootloader as well"
                )
            }
            if let key, first.bytes.count == 64, !key.verifies(first.bytes, of: bootValidatedBytes) {
                error(.nordicFile.bootValidationInvalid, field, "was not made with this key over the image")
            }
        }
    }

    /// The bytes that the first boot validation covers: the image, or the SoftDevice of one with a bootloader.
    private var bootValidatedBytes: [UInt8] {
        guard initPacket.type == .softdeviceBootloader else { return image }
        return Array(image.prefix(Int(initPacket.softDeviceSize ?? 0)))
    }

    /// 0xFFFE stands for any SoftDevice; only valid in images for external chips.
    private static let anySoftDevice = UInt32(LegacyInitPacket.anySoftDevice)

    /// Findings about special entries in `sd_req`, by the rules of bootloaders (init-packet.md, SoftDevice list).
    @ListBuilder<Finding> private var softDeviceFindings: [Finding] {
        let list = initPacket.softDeviceRequirements
        let field = "InitCommand.sd_req"
        // Entries that match nothing have no effect if another entry can match.
        let matchesNothing = !list.isEmpty && list.allSatisfy { $0 == Self.anySoftDevice || $0 > 0xFFFF }
        if matchesNothing, list.contains(Self.anySoftDevice), initPacket.type != .externalApplication {
            warning(
                .nordicFinding.sdReqWildcard, field,
                "0xfffe stands for any SoftDevice in external applications only; it matches none here")
        }
        if matchesNothing, list.contains(where: { $0 > 0xFFFF }) {
            warning(
                .nordicFinding.sdReqTooLarge, field,
                "an id has 16 bits; a larger number matches no SoftDevice")
        }
        switch initPacket.type {
        case .application where list == [0]:
            note(
                .nordicFinding.sdReqNone, field,
                "is only 0 (no SoftDevice needed); SDK 14 bootloaders refuse that if one is installed")
        case .application where list.first == 0:
            warning(
                .nordicFinding.sdReqLeadingZero, field,
                "begins with 0 before an id; bootloaders of SDK 15.3 and later refuse that")
        case .softdevice where list.first == 0:
            warning(
                .nordicFinding.sdReqLeadingZero, field,
                "begins with 0; bootloaders of SDK 15 and later refuse that for a SoftDevice")
        default: []
        }
    }

    /// Warnings and notes about what bootloaders may accept.
    @ListBuilder<Finding> private var adviceFindings: [Finding] {
        if initPacket.firmwareVersion == nil {
            warning(
                .nordicFinding.firmwareVersionMissing, "InitCommand.fw_version",
                "is missing; bootloaders that compare versions refuse that")
        } else if role == .application, initPacket.firmwareVersion == .max {
            // No version is higher, so the device would never accept another application.
            warning(
                .nordicFinding.firmwareVersionFinal, "InitCommand.fw_version",
                "is the highest possible; no later update could follow")
        }
        if !image.count.isMultiple(of: 4) {
            warning(
                .nordicFinding.imageNotAligned, nil, in: binFile,
                "the image has \(image.count) bytes, not a multiple of 4")
        }
        if initPacket.operation != 1 {
            let flaw = initPacket.operation.map { "is \($0), not 1" } ?? "is missing"
            note(.nordicFinding.opCodeUnusual, "Command.op_code", "\(flaw); bootloaders ignore it")
        }
        if initPacket.isDebug {
            note(.nordicFinding.debug, "InitCommand.is_debug", "debug bootloaders skip the version checks")
        }
        let unknown = initPacket.softDeviceRequirements.filter {
            $0 != 0 && $0 != Self.anySoftDevice && SoftDeviceNames.name(of: $0) == nil
        }
        if !unknown.isEmpty {
            note(
                .nordicFinding.sdReqUnknown, "InitCommand.sd_req",
                "not a known SoftDevice: \(unknown.map { HexText.number($0) }.joined(atMost:4))")
        }
        if let first = initPacket.unknownFields.first {
            let places = initPacket.unknownFields.map { "\($0.message) \($0.number) at offset \($0.offset)" }
            note(
                .nordicFinding.unknownField, first.message,
                "not in the public schema: \(places.joined(atMost:4))")
        }
        let noted = [manifest.softdeviceSize, manifest.bootloaderSize]
        let stated = [initPacket.softDeviceSize, initPacket.bootloaderSize].map { $0.map { Int($0) } }
        if zip(noted, stated).contains(where: { $0 != nil && $0 != $1 }) {
            warning(
                .nordicFinding.metadataMismatch, "manifest.\(role.rawValue).info_read_only_metadata",
                in: PackageManifest.fileName, "has other sizes than the init packet")
        }
    }

    /// Checks the image against the part's role, by the structure that every SoftDevice has.
    @ListBuilder<Finding> var softDeviceImageFindings: [Finding] {
        let has = SoftDeviceInformation(in: image) != nil
        if role.carriesSoftDevice, !has {
            warning(
                .nordicFinding.softdeviceUnrecognised, nil, "\(binFile) lacks the structure of a SoftDevice")
        } else if role == .application, has {
            warning(.nordicFinding.applicationIsSoftdevice, nil, "\(binFile) begins with a SoftDevice")
        }
    }
}
