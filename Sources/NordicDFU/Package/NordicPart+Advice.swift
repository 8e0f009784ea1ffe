extension NordicPart {
    /// What bootloaders may accept, but a person should know before flashing.
    func adviceFindings() -> [PackageFinding] {
        var found: [PackageFinding] = []
        let packet = initPacket
        switch (role, packet.firmwareVersion) {
        case (_, nil):
            let words = "is missing; bootloaders that compare versions refuse that"
            found.append(warning("firmware-version-missing", "InitCommand.fw_version", words))
        case (.application, .max?):
            // No later version is higher, so the device would never take another application.
            let words = "is the highest there is; no later update could follow"
            found.append(warning("firmware-version-final", "InitCommand.fw_version", words))
        default: break
        }
        if !image.count.isMultiple(of: 4) {
            let words = "the image has \(image.count) bytes, not a multiple of 4"
            found.append(
                PackageFinding(
                    id: "image-not-aligned", level: .warning, role: role, entry: binFile, field: nil,
                    message: words))
        }
        if packet.operation != 1 {
            let words = packet.operation.map { "is \($0), not 1; bootloaders do not look at it" }
            found.append(
                note(
                    "op-code-unusual", "Command.op_code", words ?? "is missing; bootloaders do not look at it"
                ))
        }
        if packet.isDebug {
            found.append(note("debug", "InitCommand.is_debug", "debug bootloaders skip the version checks"))
        }
        for id in packet.softDeviceRequirements
        where id != 0 && id != Self.anySoftDevice && SoftDeviceNames.name(of: id) == nil {
            let words = "0x\(String(id, radix: 16)) is not a SoftDevice that we know"
            found.append(note("sd-req-unknown", "InitCommand.sd_req", words))
        }
        for field in packet.unknownFields {
            let words = "field \(field.number) at offset \(field.offset) is not in the public schema"
            found.append(note("unknown-field", field.message, words))
        }
        return found + metadataFindings()
    }

    private func metadataFindings() -> [PackageFinding] {
        let noted = [manifest.softdeviceSize, manifest.bootloaderSize]
        let said = [initPacket.softDeviceSize, initPacket.bootloaderSize].map { $0.map { Int($0) } }
        guard zip(noted, said).contains(where: { $0 != nil && $0 != $1 }) else { return [] }
        return [
            PackageFinding(
                id: "metadata-mismatch", level: .warning, role: role, entry: PackageManifest.fileName,
                field: "manifest.\(role.rawValue).info_read_only_metadata",
                message: "has other sizes than the init packet")
        ]
    }

    func error(_ id: String, _ field: String?, _ message: String) -> PackageFinding {
        finding(id, .error, field, message)
    }

    func warning(_ id: String, _ field: String?, _ message: String) -> PackageFinding {
        finding(id, .warning, field, message)
    }

    func note(_ id: String, _ field: String?, _ message: String) -> PackageFinding {
        finding(id, .note, field, message)
    }

    private func finding(
        _ id: String, _ level: PackageFinding.Level, _ field: String?, _ message: String
    ) -> PackageFinding {
        PackageFinding(id: id, level: level, role: role, entry: datFile, field: field, message: message)
    }
}
