import Bytes
import UpdateModel

extension NordicPart {
    /// Warnings and notes: bootloaders may accept these, but a person should know before flashing.
    func adviceFindings() -> [Finding] {
        var found: [Finding] = []
        let packet = initPacket
        switch (role, packet.firmwareVersion) {
        case (_, nil):
            let words = "is missing; bootloaders that compare versions refuse that"
            found.append(warning("firmware-version-missing", "InitCommand.fw_version", words))
        case (.application, .max?):
            // No version is higher, so the device would never take another application.
            let words = "is the highest possible; no later update could follow"
            found.append(warning("firmware-version-final", "InitCommand.fw_version", words))
        default: break
        }
        if !image.count.isMultiple(of: 4) {
            let words = "the image has \(image.count) bytes, not a multiple of 4"
            found.append(
                Finding(
                    "image-not-aligned", .warning, Finding.Place(entry: binFile), words, part: role.rawValue))
        }
        if packet.operation != 1 {
            let words = packet.operation.map { "is \($0), not 1; bootloaders ignore it" }
            found.append(
                note(
                    "op-code-unusual", "Command.op_code", words ?? "is missing; bootloaders ignore it"
                ))
        }
        if packet.isDebug {
            found.append(note("debug", "InitCommand.is_debug", "debug bootloaders skip the version checks"))
        }
        let unknown = packet.softDeviceRequirements.filter {
            $0 != 0 && $0 != Self.anySoftDevice && SoftDeviceNames.name(of: $0) == nil
        }
        if !unknown.isEmpty {
            let words =
                "not a known SoftDevice: \(Self.few(unknown.map { HexText.number($0) }))"
            found.append(note("sd-req-unknown", "InitCommand.sd_req", words))
        }
        if let first = packet.unknownFields.first {
            let places = packet.unknownFields.map { "\($0.message) \($0.number) at offset \($0.offset)" }
            found.append(
                note("unknown-field", first.message, "not in the public schema: \(Self.few(places))"))
        }
        return found + metadataFindings()
    }

    /// The first few of many: a hostile packet may have thousands.
    private static func few(_ texts: [String]) -> String {
        let shown = texts.prefix(4).joined(separator: ", ")
        return texts.count > 4 ? "\(shown) and \(texts.count - 4) more" : shown
    }

    private func metadataFindings() -> [Finding] {
        let noted = [manifest.softdeviceSize, manifest.bootloaderSize]
        let said = [initPacket.softDeviceSize, initPacket.bootloaderSize].map { $0.map { Int($0) } }
        guard zip(noted, said).contains(where: { $0 != nil && $0 != $1 }) else { return [] }
        return [
            Finding(
                "metadata-mismatch", .warning,
                Finding.Place(
                    entry: PackageManifest.fileName,
                    field: "manifest.\(role.rawValue).info_read_only_metadata"),
                "has other sizes than the init packet", part: role.rawValue)
        ]
    }

    func error(_ id: String, _ field: String?, _ message: String) -> Finding {
        finding(id, .error, field, message)
    }

    func warning(_ id: String, _ field: String?, _ message: String) -> Finding {
        finding(id, .warning, field, message)
    }

    func note(_ id: String, _ field: String?, _ message: String) -> Finding {
        finding(id, .note, field, message)
    }

    private func finding(
        _ id: String, _ level: FindingLevel, _ field: String?, _ message: String
    ) -> Finding {
        Finding(
            id, level, Finding.Place(entry: datFile, field: field), message, part: role.rawValue)
    }
}
