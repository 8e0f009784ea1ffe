import ByteCoding
import NordicDFU

extension NordicPart {
    var json: JSONValue {
        .object([
            "role": .text(role.rawValue), "bin_file": .text(binFile), "bin_bytes": .integer(image.count),
            "dat_file": .text(datFile), "dat_bytes": .integer(initPacket.bytes.count),
            "init": .object(initMembers),
        ])
    }

    private var initMembers: [String: JSONValue] {
        [
            "type": .optional(initPacket.type?.name),
            "fw_version": .optional(initPacket.firmwareVersion),
            "hw_version": .optional(initPacket.hardwareVersion),
            "sd_req": .list(initPacket.softDeviceRequirements.map { .integer(Int($0)) }),
            "sd_size": .optional(initPacket.softDeviceSize),
            "bl_size": .optional(initPacket.bootloaderSize),
            "app_size": .optional(initPacket.applicationSize),
            "hash_type": .optional(initPacket.hash?.type.name),
            "hash": .text(HexText.encode(imageDigest)),
            "hash_matches": .bool(hashMatches),
            "is_debug": .bool(initPacket.isDebug),
            "boot_validation": .list(
                initPacket.bootValidations.map {
                    .object(["type": .text($0.name), "bytes": .text(HexText.encode($0.bytes))])
                }),
            "signed": .bool(initPacket.isSigned),
            "signature_type": .optional(initPacket.signature?.typeName),
            "signature": .optional(initPacket.signature.map { HexText.encode($0.bytes) }),
        ]
    }

    /// Grouped and aligned, in at most 80 columns.
    func lines(_ console: Console) -> [TerminalText] {
        func good(_ isGood: Bool, _ yes: TerminalText, _ no: TerminalText) -> TerminalText {
            isGood ? console.paint(yes, .green) : console.paint(no, .red)
        }
        let digest = HexText.encode(imageDigest)
        var rows: [(String, TerminalText)] = [
            ("image", "\(binFile), \(image.count) bytes"),
            ("init packet", "\(datFile), \(initPacket.bytes.count) bytes"),
            ("type", "\(initPacket.type?.name ?? "not given")"),
            ("version", "\(initPacket.firmwareVersion.map(String.init) ?? "not given")"),
            ("hardware", "\(initPacket.hardwareVersion.map(String.init) ?? "not given")"),
            ("SoftDevices", TerminalText(softDevices)),
            ("sizes", TerminalText(sizes)),
            ("SHA-256", "\(digest.prefix(32))"),
            ("", "\(digest.suffix(32))"),
            ("", good(hashMatches, "matches the init packet", "is not the init packet's hash")),
            ("debug", initPacket.isDebug ? console.paint("yes", .yellow) : "no"),
        ]
        if !initPacket.bootValidations.isEmpty {
            rows.append(("boot check", "\(initPacket.bootValidations.map(\.name).joined(separator: ", "))"))
        }
        if let signature = initPacket.signature {
            rows.append(("signature", "\(signature.typeName)"))
            let digits = HexText.encode(signature.bytes)
            for start in stride(from: 0, to: digits.count, by: 64) {
                rows.append(("", "\(digits.dropFirst(start).prefix(64))"))
            }
        } else {
            rows.append(("signature", console.paint("none", .yellow)))
        }
        return [console.paint(role.rawValue, .bold)]
            + rows.map { "  \(TerminalText($0).fitted(to: 12))\($1)" }
    }

    private var softDevices: String {
        let names = initPacket.softDeviceRequirements.map(SoftDeviceNames.text)
        return names.isEmpty ? "none named" : names.joined(separator: ", ")
    }

    private var sizes: String {
        let named: [(String, UInt32?)] = [
            ("SoftDevice", initPacket.softDeviceSize), ("bootloader", initPacket.bootloaderSize),
            ("application", initPacket.applicationSize),
        ]
        let given = named.compactMap { name, size in size.flatMap { $0 > 0 ? "\(name) \($0)" : nil } }
        return given.isEmpty ? "none given" : given.joined(separator: ", ")
    }
}
