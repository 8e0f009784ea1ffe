import Bytes
public import UpdateModel

extension NordicPart {
    /// All findings, errors first.
    ///
    /// With `key`, the signature is verified as a bootloader with that key would do it. The rules are those of nRF5
    /// SDK 15 to 17.1; where SDKs differ, the finding is a warning or a note.
    public func findings(key: NordicPublicKey? = nil) -> [Finding] {
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
                found.append(error("role-mismatch", "InitCommand.type", words))
            } else if let expected = packet.expectedImageBytes, expected != image.count {
                let words = "the image has \(image.count) bytes, the init packet announces \(expected)"
                found.append(error("size-mismatch", sizeField, words))
            }
        } else {
            found.append(error("type-missing", "InitCommand.type", "is missing"))
        }
        if let hash = packet.hash {
            if hash.type != .sha256 {
                found.append(
                    error("hash-type-unsupported", "Hash.hash_type", "is \(hash.type.name), not sha256"))
            } else if hash.bytes.count != 32 {
                found.append(
                    error("hash-length-wrong", "Hash.hash", "has \(hash.bytes.count) bytes, not 32"))
            } else if hash.digest != imageDigest {
                found.append(error("hash-mismatch", "Hash.hash", "is not the SHA-256 of \(binFile)"))
            }
        } else {
            found.append(error("hash-missing", "InitCommand.hash", "is missing"))
        }
        return found
    }

    private func signatureFindings(_ key: NordicPublicKey?) -> [Finding] {
        let field = "SignedCommand.signature"
        guard let signature = initPacket.signature else {
            if key != nil { return [error("signature-missing", nil, "the init packet is not signed")] }
            return [warning("unsigned", nil, "the init packet is not signed; most bootloaders refuse it")]
        }
        if signature.type != 0 {
            let words = "is \(signature.typeName); bootloaders accept ecdsa-p256-sha256 only"
            return [error("signature-type-unsupported", "SignedCommand.signature_type", words)]
        }
        if signature.bytes.count != 64 {
            return [error("signature-length-wrong", field, "has \(signature.bytes.count) bytes, not 64")]
        }
        if let key, !initPacket.isSigned(by: key) {
            let words = "was not made with this key" + (signatureFlaw(key).map { "; \($0)" } ?? "")
            return [error("signature-invalid", field, words)]
        }
        if let known = NordicPublicKey.nrfutilDefault, initPacket.isSigned(by: known) {
            let words = "was made with the key in nrfutil's own source, which is public"
            return [warning("signed-with-default-key", field, words)]
        }
        return []
    }

    private func limitFindings() -> [Finding] {
        var found: [Finding] = []
        let packet = initPacket
        if packet.hardwareVersion == nil {
            found.append(error("hardware-version-missing", "InitCommand.hw_version", "is missing"))
        }
        switch packet.softDeviceRequirements.count {
        case 0:
            let words = "is empty; bootloaders with a SoftDevice refuse that"
            found.append(warning("sd-req-missing", "InitCommand.sd_req", words))
        case 17...:
            let words = "has \(packet.softDeviceRequirements.count) entries, at most 16 allowed"
            found.append(error("sd-req-too-long", "InitCommand.sd_req", words))
        default: break
        }
        if packet.bootValidations.count > 3 {
            let words = "has \(packet.bootValidations.count) entries, at most 3 allowed"
            found.append(error("boot-validation-too-long", "InitCommand.boot_validation", words))
        }
        if packet.signedBytes.count > 127 {
            let words = "has \(packet.signedBytes.count) bytes; bootloaders before SDK 15.3 verify up to 127"
            found.append(note("init-command-long", "Command.init", words))
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
