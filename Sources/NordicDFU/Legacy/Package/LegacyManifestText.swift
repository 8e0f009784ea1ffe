import ByteCoding

/// `manifest.json` of a Legacy package as nrfutil 0.5 writes it: keys in order, four spaces for each level, no line
/// end behind the last brace. Its reader refuses keys that it does not know, so there are no others.
struct LegacyManifestText {
    let dfuVersion: String
    let parts: [(part: RecipePart, initPacket: LegacyInitPacket)]

    var text: String {
        var members = ["dfu_version": Node.plain(dfuVersion)]
        for (part, packet) in parts { members[part.role.rawValue] = Self.node(part, packet) }
        return Node.object(["manifest": .object(members)]).text(indent: "")
    }

    private static func node(_ part: RecipePart, _ packet: LegacyInitPacket) -> Node {
        var members: [String: Node] = [
            "bin_file": .quoted(part.binFile), "dat_file": .quoted(part.datFile),
            "init_packet_data": node(packet),
        ]
        if part.role == .softdeviceBootloader {
            members["sd_size"] = .plain("\(part.softDeviceSize)")
            members["bl_size"] = .plain("\(part.image.count - part.softDeviceSize)")
        }
        return .object(members)
    }

    private static func node(_ packet: LegacyInitPacket) -> Node {
        var members: [String: Node] = [
            "application_version": .plain("\(packet.applicationVersion)"),
            "device_revision": .plain("\(packet.deviceRevision)"),
            "device_type": .plain("\(packet.deviceType)"),
            "softdevice_req": .list(packet.softDeviceRequirements.map { .plain("\($0)") }),
        ]
        members["ext_packet_id"] = packet.end.generation?.extensionID.map { .plain("\($0)") }
        members["firmware_crc16"] = packet.end.crc16.map { .plain("\($0)") }
        members["firmware_length"] = packet.end.length.map { .plain("\($0)") }
        members["firmware_hash"] = packet.end.digest.map { .quoted(HexText.encode($0)) }
        members["init_packet_ecds"] = packet.end.signature.map { .quoted(HexText.encode($0)) }
        return .object(members)
    }

    /// JSON as Python's `json.dumps(indent=4, sort_keys=True)` lays it out. Texts need no escapes: names are checked
    /// before, and the rest are digits.
    private indirect enum Node {
        case plain(String)
        case quoted(String)
        case list([Node])
        case object([String: Node])

        func text(indent: String) -> String {
            switch self {
            case .plain(let text): text
            case .quoted(let text): "\"\(text)\""
            case .list(let nodes):
                Self.block("[", nodes.map { $0.text(indent: indent + "    ") }, "]", indent)
            case .object(let members):
                Self.block(
                    "{",
                    members.sorted { $0.key < $1.key }.map {
                        "\"\($0.key)\": " + $0.value.text(indent: indent + "    ")
                    }, "}", indent)
            }
        }

        private static func block(
            _ open: String, _ lines: [String], _ close: String, _ indent: String
        ) -> String {
            guard !lines.isEmpty else { return open + close }
            return open + "\n" + lines.map { indent + "    " + $0 }.joined(separator: ",\n") + "\n" + indent
                + close
        }
    }
}
