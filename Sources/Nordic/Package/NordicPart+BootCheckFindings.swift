import UpdateModel

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
                found.append(note("boot-validation-bytes", field, words))
            case 0...2: break
            case 3 where check.bytes.count != 64:
                let words = "has a signature of \(check.bytes.count) bytes, not 64"
                found.append(error("boot-validation-length-wrong", field, words))
            case 3: break
            default:
                found.append(
                    error("boot-validation-unknown", field, "has the unknown type \(check.type)"))
            }
        }
        guard let first = checks.first, first.type == 3 else { return found }
        if initPacket.type == .softdeviceBootloader {
            let words =
                "begins with a signature; bootloaders of SDK 15.3 and 16 use it for the bootloader as well"
            found.append(warning("boot-validation-misplaced", field, words))
        }
        if let key, first.bytes.count == 64, !key.verifies(first.bytes, of: bootCheckedBytes) {
            found.append(error("boot-validation-invalid", field, "was not made with this key over the image"))
        }
        return found
    }

    /// The bytes that the first entry covers: the image, or its SoftDevice if there is one.
    private var bootCheckedBytes: [UInt8] {
        guard initPacket.type == .softdeviceBootloader else { return image }
        return Array(image.prefix(Int(initPacket.softDeviceSize ?? 0)))
    }
}
