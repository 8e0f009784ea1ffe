import Bytes
import UpdateModel

extension LegacyPart {
    /// Warnings and notes: customised bootloaders may accept these, but a person should know before flashing.
    func adviceFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        func add(_ id: String, _ level: FindingLevel, _ field: String?, _ message: String) {
            found.append(finding(id, level, datFile ?? binFile, field, message))
        }
        if packet.isChecksumAlone {
            let words = "is only a CRC16, for bootloaders of SDK 4.3 to 6.1; later ones refuse it"
            add("init-packet-crc-alone", .warning, nil, words)
            return found
        }
        if !packet.padding.isEmpty {
            let count = packet.padding.count
            add(
                "init-packet-padded", .note, nil,
                "has \(count) bytes after its CRC16, which bootloaders ignore")
        }
        if packet.softDeviceRequirements.isEmpty {
            add("sd-req-missing", .error, "softdevice_req", "is empty; bootloaders refuse that")
        }
        if let generation = packet.end.generation, let id = generation.extensionID {
            let words = "is \(id): stock bootloaders read a CRC16 here and refuse the extension"
            add("extension-not-stock", .warning, "ext_packet_id", words)
        }
        if packet.bytes.count > LegacyInitPacket.singleBankLimit {
            let words =
                "has \(packet.bytes.count) bytes; stock bootloaders accept up to 64, or 128 with "
            add("init-packet-long", .warning, nil, words + "two banks")
        }
        let isAdafruit = packet.deviceType == AdafruitHardware.deviceType
        if isAdafruit, role.isSystem, AdafruitHardware.chip(ofRevision: packet.deviceRevision) == nil {
            let words =
                "is \(HexText.number(packet.deviceRevision, uppercase: true)); "
                + "Adafruit's bootloader takes no system part with it"
            add("adafruit-revision-unknown", .warning, "device_revision", words)
        }
        if packet.deviceType == .max {
            let words = "is FFFF; a device with a type of its own refuses that, as does Adafruit's bootloader"
            add("device-type-open", .note, "device_type", words)
        }
        if role == .application, packet.applicationVersion == .max {
            add("application-version-open", .note, "application_version", "is FFFFFFFF: none was given")
        }
        return found
    }

    /// Differences between the manifest and the init packet; devices use the init packet.
    func noteFindings(_ packet: LegacyInitPacket) -> [Finding] {
        var found: [Finding] = []
        func add(_ field: String, _ message: String) {
            found.append(
                finding(
                    "metadata-mismatch", .warning, PackageManifest.fileName, "manifest.\(field)", message))
        }
        if let dfuVersion, let generation = packet.end.generation,
            LegacyGeneration(dfuVersion: dfuVersion) != generation
        {
            add("dfu_version", "is \(dfuVersion), the init packet is of \(generation.rawValue)")
        }
        guard let notes = manifest?.legacy.initPacketData else { return found }
        let members = Self.members(of: packet).filter {
            !packet.isChecksumAlone || $0.key == "firmware_crc16"
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            // Signatures and hashes may be written in either case.
            guard let note = notes[name], note.lowercased != value else { continue }
            let field = "\(role.rawValue).init_packet_data.\(name)"
            add(
                field,
                value == nil ? "is given here, but not in the init packet" : "differs from the init packet")
        }
        return found
    }

    /// The init packet's fields as nrfutil notes them; nil for fields that its generation does not have.
    private static func members(of packet: LegacyInitPacket) -> [String: LegacyNotes.Value?] {
        func number(_ value: (some BinaryInteger)?) -> LegacyNotes.Value? {
            value.map { .number(Double($0)) }
        }
        func text(_ bytes: [UInt8]?) -> LegacyNotes.Value? { bytes.map { .text(HexText.encode($0)) } }
        return [
            "device_type": number(packet.deviceType), "device_revision": number(packet.deviceRevision),
            "application_version": number(packet.applicationVersion),
            "softdevice_req": .numbers(packet.softDeviceRequirements.map { Double($0) }),
            "ext_packet_id": number(packet.end.generation?.extensionID),
            "firmware_crc16": number(packet.end.crc16), "firmware_length": number(packet.end.length),
            "firmware_hash": text(packet.end.digest), "init_packet_ecds": text(packet.end.signature),
        ]
    }
}

extension LegacyNotes.Value {
    fileprivate var lowercased: LegacyNotes.Value {
        if case .text(let text) = self { .text(text.lowercased()) } else { self }
    }
}
