import Bytes
import UpdateModel

extension LegacyPart {
    var facts: Fact {
        .record([
            "role": .text(role.rawValue), "bin_file": .text(binFiles.joined(separator: " + ")),
            "bin_files": .list(binFiles.map(Fact.text)), "bin_bytes": .integer(image.count),
            "bin_sha256": .text(HexText.encode(imageDigest)),
            "bin_crc16": .text(HexText.digits(imageCRC16)), "dat_file": .optional(datFile),
            "dat_bytes": initPacket.map { .integer($0.bytes.count) } ?? .absent,
            "sd_size": .optional(softDeviceSize),
            "bl_size": .optional(bootloaderSize),
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

    /// At most 80 columns.
    var section: FileInspection.Section {
        let total = ", \(image.count) bytes\(binFiles.count > 1 ? " together" : "")"
        var rows = binFiles.enumerated().map { place, name in
            FileInspection.Row(
                place == 0 ? "image" : "",
                FactText(place == binFiles.count - 1 ? name + total : name))
        }
        if role == .softdeviceBootloader { rows.append(.init("sizes", FactText(sizes))) }
        if let initPacket {
            rows.append(.init("init packet", "\(datFile ?? ""), \(initPacket.bytes.count) bytes"))
            rows += self.rows(of: initPacket)
        } else {
            rows.append(.init("init packet", FactText("none", .doubtful)))
        }
        return FileInspection.Section(role.rawValue, rows)
    }

    private func rows(of packet: LegacyInitPacket) -> [FileInspection.Row] {
        if packet.isChecksumAlone {
            return [.init("generation", "CRC16 only (SDK 4.3 to 6.1)")] + checksumRows(of: packet)
        }
        var rows: [FileInspection.Row] = [
            .init(
                "generation",
                packet.end.generation.map { "\($0.rawValue)" } ?? FactText("without extension", .bad)
            ),
            .init("device", FactText(Self.device(packet))),
            .init(
                "version",
                packet.applicationVersion == .max ? "not given" : "\(packet.applicationVersion)"
            ),
        ]
        let names = packet.softDeviceRequirements.map(Self.name(ofSoftDevice:))
        // Three names fit on a line.
        for start in stride(from: 0, to: max(names.count, 1), by: 3) {
            let line = names.dropFirst(start).prefix(3).joined(separator: ", ")
            rows.append(.init(start == 0 ? "SoftDevices" : "", names.isEmpty ? "none named" : FactText(line)))
        }
        rows += checksumRows(of: packet)
        if let length = packet.end.length {
            rows.append(.init("length", FactText("\(length), ") + verdict(lengthMatches)))
        }
        if let digest = packet.end.digest.map({ HexText.encode($0) }) {
            rows.append(.init("SHA-256", "\(digest.prefix(32))"))
            rows.append(.init("", "\(digest.suffix(32))"))
            rows.append(.init("", verdict(hashMatches)))
        }
        if let digits = packet.end.signature.map({ HexText.encode($0) }) {
            rows.append(.init("signature", "ecdsa-p256-sha256"))
            for start in stride(from: 0, to: digits.count, by: 64) {
                rows.append(.init("", "\(digits.dropFirst(start).prefix(64))"))
            }
        } else {
            rows.append(.init("signature", "none"))
        }
        return rows
    }

    private func checksumRows(of packet: LegacyInitPacket) -> [FileInspection.Row] {
        guard let crc = packet.end.crc16 else { return [] }
        let row = FileInspection.Row("CRC16", FactText("\(HexText.digits(crc)), ") + verdict(crcMatches))
        guard !packet.padding.isEmpty else { return [row] }
        return [row, .init("padding", "\(packet.padding.count) bytes, which bootloaders ignore")]
    }

    private func verdict(_ matches: Bool?) -> FactText {
        matches == true
            ? FactText("matches the image", .good) : FactText("does not match the image", .bad)
    }

    private var sizes: String {
        func words(_ size: Int?) -> String { size.map(String.init) ?? "unknown" }
        return "SoftDevice \(words(softDeviceSize)), bootloader \(words(bootloaderSize))"
    }

    private static func device(_ packet: LegacyInitPacket) -> String {
        func words(_ number: UInt16) -> String {
            number == .max ? "any" : HexText.number(number, uppercase: true)
        }
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
