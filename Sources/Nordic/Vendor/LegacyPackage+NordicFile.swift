package import Bluetooth
import Bytes
package import UpdateModel

extension LegacyPackage: NordicFile {
    package var kind: FirmwareKind { .nordicLegacy }
    package var risks: Set<Risk> { [.sameVersion, .wrongFamily, .unchangedVersion] }
    /// Applications for Adafruit's bootloader may have Secure DFU's buttonless service instead of a control point.
    package func entry(_ options: UpdateOptions) -> any BootloaderEntry {
        ButtonlessEntry(
            legacyOrButtonless: parts.allSatisfy { $0.initPacket?.deviceType == AdafruitHardware.deviceType })
    }
    package var service: BluetoothUUID { LegacyService.uuid }

    /// Options for a name or for a resume do not apply: Legacy bootloaders get no name and cannot resume.
    package func takes(_ option: VendorOption) -> Bool {
        TransferOptions.general.contains(option)
            || [.receiptInterval, .bootloader, .bootloaderTimeout].contains(option)
    }

    package var inspection: FileInspection {
        inspection(
            "Nordic Legacy DFU package",
            remark: manifest == nil ? "without a manifest: parts are recognised by file names" : nil,
            [
                "manifest": .flag(manifest != nil),
                "dfu_version": manifest?.dfuVersion.map(Fact.number) ?? .absent,
            ])
    }

    /// The device types of the parts, except FFFF, which means any.
    package var hardware: String? {
        let types = Set(parts.compactMap(\.initPacket?.deviceType)).subtracting([.max]).sorted()
        return types.isEmpty ? nil : types.map { "type \($0)" }.joined(separator: ", ")
    }

    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        NordicTarget(device).answers(to: self)
    }
}

extension LegacyPart {
    package var signatureField: String? { initPacket?.end.signature == nil ? nil : "init_packet_ecds" }
    package var remark: String { "Legacy DFU" }
    /// Nil if the field is FFFFFFFF, which means that there is none.
    package var version: FirmwareVersion? {
        guard let version = initPacket?.applicationVersion, version != .max else { return nil }
        return FirmwareVersion("\(version)", at: Finding.Place(entry: datFile, field: "application_version"))
    }

    package func procedure(_ options: UpdateOptions) -> any UpdateProcedure {
        LegacyProcedure(
            LegacyImage(self), receiptInterval: options[NordicOptions.self].receiptInterval,
            packetSize: options[TransferOptions.self].packetSize, versionText: options.versionText,
            allowing: options.risks)
    }

    package var facts: Fact {
        .record([
            "role": .text(role.rawValue), "bin_file": .text(binFiles.joined(separator: " + ")),
            "bin_files": .list(binFiles.map(Fact.text)), "bin_bytes": .integer(image.count),
            "bin_sha256": .text(HexText.encode(imageDigest)),
            "bin_crc16": .text(HexText.digits(imageCRC16)), "dat_file": .optional(datFile),
            "dat_bytes": initPacket.map { .integer($0.bytes.count) } ?? .absent,
            "sd_size": .optional(softDeviceSize), "bl_size": .optional(bootloaderSize),
            "app_size": .integer(applicationSize),
            "init": initPacket.map { .record(members(of: $0)) } ?? .absent,
        ])
    }

    private func members(of packet: LegacyInitPacket) -> [String: Fact] {
        func number(_ value: some BinaryInteger) -> Fact {
            packet.isChecksumAlone ? .absent : .integer(Int(value))
        }
        return [
            "device_type": number(packet.deviceType), "device_revision": number(packet.deviceRevision),
            "application_version": number(packet.applicationVersion),
            "sd_req": .list(packet.softDeviceRequirements.map { .integer(Int($0)) }),
            "generation": .optional(packet.isChecksumAlone ? "crc16" : packet.end.generation?.rawValue),
            "padding_bytes": .integer(packet.padding.count),
            "ext_packet_id": .optional(packet.end.generation?.extensionID),
            "crc16": .optional(packet.end.crc16.map { HexText.digits($0) }),
            "crc_matches": .optional(crcMatches),
            "firmware_length": .optional(packet.end.length), "length_matches": .optional(lengthMatches),
            "firmware_hash": .optional(packet.end.digest.map { HexText.encode($0) }),
            "hash_matches": .optional(hashMatches), "signed": .flag(packet.end.signature != nil),
            "signature": .optional(packet.end.signature.map { HexText.encode($0) }),
        ]
    }

    package var section: FileInspection.Section { FileInspection.Section(role.rawValue, rows) }

    @ListBuilder<Row> private var rows: [Row] {
        let total = ", \(image.count) bytes\(binFiles.count > 1 ? " together" : "")"
        for (place, name) in binFiles.enumerated() {
            Row(place == 0 ? "image" : "", FactText(place == binFiles.count - 1 ? name + total : name))
        }
        if role == .softdeviceBootloader { Row("sizes", FactText(sizes)) }
        if let initPacket {
            Row("init packet", "\(datFile ?? ""), \(initPacket.bytes.count) bytes")
            if initPacket.isChecksumAlone {
                Row("generation", "CRC16 only (SDK 4.3 to 6.1)")
                checksumRows(of: initPacket)
            } else {
                rows(of: initPacket)
            }
        } else {
            Row("init packet", FactText("none", .doubtful))
        }
    }

    @ListBuilder<Row> private func rows(of packet: LegacyInitPacket) -> [Row] {
        Row(
            "generation",
            packet.end.generation.map { "\($0.rawValue)" } ?? FactText("without extension", .bad))
        Row("device", FactText(Self.device(packet)))
        Row("version", packet.applicationVersion == .max ? "not given" : "\(packet.applicationVersion)")
        let names = packet.softDeviceRequirements.map(Self.name(ofSoftDevice:))
        // Three names fit on a line.
        for start in stride(from: 0, to: max(names.count, 1), by: 3) {
            let line = names.dropFirst(start).prefix(3).joined(separator: ", ")
            Row(start == 0 ? "SoftDevices" : "", names.isEmpty ? "none named" : FactText(line))
        }
        checksumRows(of: packet)
        if let length = packet.end.length { Row("length", FactText("\(length), ") + verdict(lengthMatches)) }
        if let digest = packet.end.digest {
            Row.digits("SHA-256", digest, width: 32)
            Row("", verdict(hashMatches))
        }
        if let signature = packet.end.signature {
            Row("signature", "ecdsa-p256-sha256")
            Row.digits("", signature, width: 64)
        } else {
            Row("signature", "none")
        }
    }

    @ListBuilder<Row> private func checksumRows(of packet: LegacyInitPacket) -> [Row] {
        if let crc = packet.end.crc16 {
            Row("CRC16", FactText("\(HexText.digits(crc)), ") + verdict(crcMatches))
            if !packet.padding.isEmpty {
                Row("padding", "\(packet.padding.count) bytes, which bootloaders ignore")
            }
        }
    }

    private func verdict(_ matches: Bool?) -> FactText {
        matches == true ? FactText("matches the image", .good) : FactText("does not match the image", .bad)
    }

    private var sizes: String {
        func words(_ size: Int?) -> String { size.map(String.init) ?? "unknown" }
        return "SoftDevice \(words(softDeviceSize)), bootloader \(words(bootloaderSize))"
    }

    private static func device(_ packet: LegacyInitPacket) -> String {
        func words(_ number: UInt16) -> String { number == .max ? "any" : number.hex }
        let named =
            packet.deviceType == AdafruitHardware.deviceType
            ? AdafruitHardware.chip(ofRevision: packet.deviceRevision) : nil
        return "type \(words(packet.deviceType)), revision \(words(packet.deviceRevision))"
            + (named.map { " (Adafruit, \($0))" } ?? "")
    }

    private static func name(ofSoftDevice id: UInt16) -> String {
        id == LegacyInitPacket.anySoftDevice ? "any" : SoftDeviceNames.text(of: UInt32(id))
    }
}
