package import Bluetooth
import Bytes
package import UpdateModel

extension NordicPackage: NordicFile {
    package var kind: FirmwareKind { .nordicSecure }
    package var risks: Set<Risk> { [.sameVersion, .lowerVersion, .wrongFamily] }
    /// If the user has chosen the bootloader, it needs no name to be recognised.
    package func entry(_ options: UpdateOptions) -> any BootloaderEntry {
        let own = options[NordicOptions.self]
        let isChosen = options[TransferOptions.self].bootloader != nil
        return ButtonlessEntry(
            name: own.bootloaderName ?? (own.givesNoName || isChosen ? nil : BootloaderName.random()))
    }
    package func takes(_ option: VendorOption) -> Bool {
        TransferOptions.options.contains(option) || NordicOptions.options.contains(option)
    }
    package var service: BluetoothUUID { SecureService.uuid }
    package var inspection: FileInspection { inspection("Nordic Secure DFU package") }

    package var hardware: String? {
        let numbers = Set(parts.compactMap(\.initPacket.hardwareVersion)).sorted()
        return numbers.isEmpty ? nil : numbers.map { "\($0)" }.joined(separator: ", ")
    }

    package func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("hardware"),
            let part = parts.first(where: { $0.initPacket.hardwareVersion != wanted })
        else { return nil }
        let has = part.initPacket.hardwareVersion.map(String.init) ?? "none"
        return Finding(
            .finding.catalogueMismatch, .error,
            Finding.Place(entry: part.datFile, field: "InitCommand.hw_version"),
            "is \(has), but \(model.name) has \(wanted)")
    }

    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        NordicTargetCheck(target: NordicTarget(device), key: options[NordicOptions.self].key).answers(
            to: self)
    }
}

extension NordicPart {
    package var signatureField: String? { initPacket.isSigned ? "SignedCommand.signature" : nil }
    package var remark: String { initPacket.isSigned ? "signed" : "not signed" }
    package var version: FirmwareVersion? {
        initPacket.firmwareVersion.map {
            FirmwareVersion("\($0)", at: Finding.Place(entry: datFile, field: "InitCommand.fw_version"))
        }
    }

    package func procedure(_ options: UpdateOptions) -> any UpdateProcedure {
        let image = SecureImage(
            initPacket: initPacket.bytes, bytes: image, role: role, isSigned: initPacket.isSigned,
            firmwareVersion: initPacket.firmwareVersion, hardwareVersion: initPacket.hardwareVersion,
            softDevices: initPacket.softDeviceRequirements)
        return SecureProcedure(
            image, receiptInterval: options[NordicOptions.self].receiptInterval,
            versionText: options.versionText, allowing: options.risks,
            beginningAfresh: options[TransferOptions.self].beginsAfresh)
    }

    package var facts: Fact {
        .record([
            "role": .text(role.rawValue), "bin_file": .text(binFile), "bin_bytes": .integer(image.count),
            "dat_file": .text(datFile), "dat_bytes": .integer(initPacket.bytes.count),
            "init": .record(initMembers),
        ])
    }

    private var initMembers: [String: Fact] {
        [
            "type": .optional(initPacket.type?.name), "fw_version": .optional(initPacket.firmwareVersion),
            "hw_version": .optional(initPacket.hardwareVersion),
            "sd_req": .list(initPacket.softDeviceRequirements.map { .integer(Int($0)) }),
            "sd_size": .optional(initPacket.softDeviceSize), "bl_size": .optional(initPacket.bootloaderSize),
            "app_size": .optional(initPacket.applicationSize),
            "hash_type": .optional(initPacket.hash?.typeName),
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

    package var section: FileInspection.Section { FileInspection.Section(role.rawValue, rows) }

    @ListBuilder<Row> private var rows: [Row] {
        Row("image", "\(binFile), \(image.count) bytes")
        Row("init packet", "\(datFile), \(initPacket.bytes.count) bytes")
        Row("type", "\(initPacket.type?.name ?? "not given")")
        Row("version", "\(initPacket.firmwareVersion.map(String.init) ?? "not given")")
        Row("hardware", "\(initPacket.hardwareVersion.map(String.init) ?? "not given")")
        Row("SoftDevices", FactText(softDevices))
        Row("sizes", FactText(sizes))
        Row.digits("SHA-256", imageDigest, width: 32)
        Row(
            "",
            hashMatches
                ? FactText("matches the init packet", .good)
                : FactText("does not match the init packet", .bad))
        Row("debug", initPacket.isDebug ? FactText("yes", .doubtful) : "no")
        if !initPacket.bootValidations.isEmpty {
            Row("boot check", "\(initPacket.bootValidations.map(\.name).joined(separator: ", "))")
        }
        if let signature = initPacket.signature {
            Row("signature", "\(signature.typeName)")
            Row.digits("", signature.bytes, width: 64)
        } else {
            Row("signature", FactText("none", .doubtful))
        }
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
