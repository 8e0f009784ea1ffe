import ByteCoding
import NordicDFU

extension LegacyPart {
    var json: JSONValue {
        .object([
            "role": .text(role.rawValue), "bin_file": .text(binFiles.joined(separator: " + ")),
            "bin_files": .list(binFiles.map(JSONValue.text)), "bin_bytes": .integer(image.count),
            "bin_sha256": .text(HexText.encode(imageDigest)),
            "bin_crc16": .text(HexText.digits(imageCRC16)), "dat_file": .optional(datFile),
            "dat_bytes": initPacket.map { .integer($0.bytes.count) } ?? .null,
            "sd_size": softDeviceSize.map(JSONValue.integer) ?? .null,
            "bl_size": bootloaderSize.map(JSONValue.integer) ?? .null,
            "app_size": .integer(applicationSize),
            "init": initPacket.map { .object(members(of: $0)) } ?? .null,
        ])
    }

    private func members(of packet: LegacyInitPacket) -> [String: JSONValue] {
        [
            "device_type": .integer(Int(packet.deviceType)),
            "device_revision": .integer(Int(packet.deviceRevision)),
            "application_version": .integer(Int(packet.applicationVersion)),
            "sd_req": .list(packet.softDeviceRequirements.map { .integer(Int($0)) }),
            "generation": .optional(packet.end.generation?.rawValue),
            "ext_packet_id": .optional(packet.end.generation?.extensionID),
            "crc16": .optional(packet.end.crc16.map { HexText.digits($0) }),
            "crc_matches": .optional(crcMatches),
            "firmware_length": .optional(packet.end.length), "length_matches": .optional(lengthMatches),
            "firmware_hash": .optional(packet.end.digest.map { HexText.encode($0) }),
            "hash_matches": .optional(hashMatches), "signed": .bool(packet.end.signature != nil),
            "signature": .optional(packet.end.signature.map { HexText.encode($0) }),
        ]
    }

    /// Grouped and aligned, in at most 80 columns.
    func lines(_ console: Console) -> [TerminalText] {
        var rows = binFiles.enumerated().map { ($0.offset == 0 ? "image" : "", TerminalText($0.element)) }
        let total: TerminalText = ", \(image.count) bytes\(binFiles.count > 1 ? " together" : "")"
        rows[rows.count - 1].1 = rows[rows.count - 1].1 + total
        if role == .softdeviceBootloader { rows.append(("sizes", TerminalText(sizes))) }
        if let initPacket {
            rows.append(("init packet", "\(datFile ?? ""), \(initPacket.bytes.count) bytes"))
            rows += self.rows(of: initPacket, console)
        } else {
            rows.append(("init packet", console.paint("none", .yellow)))
        }
        return [console.paint(role.rawValue, .bold)]
            + rows.map { "  \(TerminalText($0).fitted(to: 12))\($1)" }
    }

    private func rows(of packet: LegacyInitPacket, _ console: Console) -> [(String, TerminalText)] {
        var rows: [(String, TerminalText)] = [
            (
                "generation",
                packet.end.generation.map { "\($0.rawValue)" } ?? console.paint("without extension", .red)
            ),
            ("device", TerminalText(Self.device(packet))),
            (
                "version",
                packet.applicationVersion == .max ? "not given" : "\(packet.applicationVersion)"
            ),
        ]
        let names = packet.softDeviceRequirements.map(Self.name(ofSoftDevice:))
        // Three names fit a line.
        for start in stride(from: 0, to: max(names.count, 1), by: 3) {
            let line = names.dropFirst(start).prefix(3).joined(separator: ", ")
            rows.append((start == 0 ? "SoftDevices" : "", names.isEmpty ? "none named" : TerminalText(line)))
        }
        if let crc = packet.end.crc16 {
            rows.append(("CRC16", "\(HexText.digits(crc)), \(verdict(crcMatches, console))"))
        }
        if let length = packet.end.length {
            rows.append(("length", "\(length), \(verdict(lengthMatches, console))"))
        }
        if let digest = packet.end.digest.map({ HexText.encode($0) }) {
            rows.append(("SHA-256", "\(digest.prefix(32))"))
            rows.append(("", "\(digest.suffix(32))"))
            rows.append(("", verdict(hashMatches, console)))
        }
        if let digits = packet.end.signature.map({ HexText.encode($0) }) {
            rows.append(("signature", "ecdsa-p256-sha256"))
            for start in stride(from: 0, to: digits.count, by: 64) {
                rows.append(("", "\(digits.dropFirst(start).prefix(64))"))
            }
        } else {
            rows.append(("signature", "none"))
        }
        return rows
    }

    private func verdict(_ matches: Bool?, _ console: Console) -> TerminalText {
        matches == true
            ? console.paint("matches the image", .green) : console.paint("is not the image's", .red)
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
