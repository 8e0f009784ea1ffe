import Bytes

/// `manifest.json` of a Legacy package as nrfutil 0.5 writes it: sorted keys, four spaces for each level, no line end
/// after the last brace. nrfutil's reader refuses unknown keys, so none are added.
struct LegacyManifestText {
    let dfuVersion: String
    let parts: [(part: RecipePart, initPacket: LegacyInitPacket)]

    var text: String {
        var members = ["dfu_version": ManifestNode.plain(dfuVersion)]
        for (part, packet) in parts { members[part.role.rawValue] = Self.node(part, packet) }
        return ManifestNode.object(["manifest": .object(members)]).json()
    }

    private static func node(_ part: RecipePart, _ packet: LegacyInitPacket) -> ManifestNode {
        var members: [String: ManifestNode] = [
            "bin_file": .text(part.binFile), "dat_file": .text(part.datFile),
            "init_packet_data": node(packet),
        ]
        if part.role == .softdeviceBootloader {
            members["sd_size"] = .number(part.softDeviceSize)
            members["bl_size"] = .number(part.image.count - part.softDeviceSize)
        }
        return .object(members)
    }

    private static func node(_ packet: LegacyInitPacket) -> ManifestNode {
        var members: [String: ManifestNode] = [
            "application_version": .number(packet.applicationVersion),
            "device_revision": .number(packet.deviceRevision),
            "device_type": .number(packet.deviceType),
            "softdevice_req": .list(packet.softDeviceRequirements.map { .number($0) }),
        ]
        members["ext_packet_id"] = packet.end.generation?.extensionID.map { .number($0) }
        members["firmware_crc16"] = packet.end.crc16.map { .number($0) }
        members["firmware_length"] = packet.end.length.map { .number($0) }
        members["firmware_hash"] = packet.end.digest.map { .text(HexText.encode($0)) }
        members["init_packet_ecds"] = packet.end.signature.map { .text(HexText.encode($0)) }
        return .object(members)
    }
}
