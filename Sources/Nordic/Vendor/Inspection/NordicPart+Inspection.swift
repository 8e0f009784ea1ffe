import Bytes
import UpdateModel

extension NordicPart {
    var facts: Fact {
        .record([
            "role": .text(role.rawValue), "bin_file": .text(binFile), "bin_bytes": .integer(image.count),
            "dat_file": .text(datFile), "dat_bytes": .integer(initPacket.bytes.count),
            "init": .record(initMembers),
        ])
    }

    private var initMembers: [String: Fact] {
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
            "hash_matches": .flag(hashMatches),
            "is_debug": .flag(initPacket.isDebug),
            "boot_validation": .list(
                initPacket.bootValidations.map {
                    .record(["type": .text($0.name), "bytes": .text(HexText.encode($0.bytes))])
                }),
            "signed": .flag(initPacket.isSigned),
            "signature_type": .optional(initPacket.signature?.typeName),
            "signature": .optional(initPacket.signature.map { HexText.encode($0.bytes) }),
        ]
    }

    /// At most 80 columns.
    var section: FileInspection.Section {
        let digest = HexText.encode(imageDigest)
        var rows: [FileInspection.Row] = [
            .init("image", "\(binFile), \(image.count) bytes"),
            .init("init packet", "\(datFile), \(initPacket.bytes.count) bytes"),
            .init("type", "\(initPacket.type?.name ?? "not given")"),
            .init("version", "\(initPacket.firmwareVersion.map(String.init) ?? "not given")"),
            .init("hardware", "\(initPacket.hardwareVersion.map(String.init) ?? "not given")"),
            .init("SoftDevices", FactText(softDevices)),
            .init("sizes", FactText(sizes)),
            .init("SHA-256", "\(digest.prefix(32))"),
            .init("", "\(digest.suffix(32))"),
            .init(
                "",
                hashMatches
                    ? FactText("matches the init packet", .good)
                    : FactText("does not match the init packet", .bad)),
            .init("debug", initPacket.isDebug ? FactText("yes", .doubtful) : "no"),
        ]
        if !initPacket.bootValidations.isEmpty {
            rows.append(
                .init("boot check", "\(initPacket.bootValidations.map(\.name).joined(separator: ", "))"))
        }
        if let signature = initPacket.signature {
            rows.append(.init("signature", "\(signature.typeName)"))
            let digits = HexText.encode(signature.bytes)
            for start in stride(from: 0, to: digits.count, by: 64) {
                rows.append(.init("", "\(digits.dropFirst(start).prefix(64))"))
            }
        } else {
            rows.append(.init("signature", FactText("none", .doubtful)))
        }
        return FileInspection.Section(role.rawValue, rows)
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
