import UpdateModel

/// Checks a Feasycom file against a target before it is sent (fbeacon.md, Matching).
struct FBeaconTargetCheck {
    let target: TargetDevice

    func answers(to file: FBeaconFile) -> [Answer] {
        [modelAnswer(file), bootloaderAnswer(file), versionAnswer(file)]
    }

    private func modelAnswer(_ file: FBeaconFile) -> Answer {
        let number = file.header.modelNumber
        let names = file.modelType.map { [$0] } ?? ModelNumber(rawValue: number).names
        guard number != 0 || file.modelType != nil else { return .pass }
        guard let model = target.model else { return .needs("model") }
        if names.contains(where: { $0.lowercased() == model.lowercased() })
            || (number != 0 && model == String(number))
        {
            return .pass
        }
        let wanted = names.isEmpty ? "model \(number)" : names.joined(separator: " or ")
        return .refuse(
            id: "wrong-device", code: nil, "the file is for \(wanted), but the target is a \(model)")
    }

    private func bootloaderAnswer(_ file: FBeaconFile) -> Answer {
        let required = UInt32(file.header.bootloader)
        guard file.header.container == .open, required > 0 else { return .pass }
        guard let bootloader = target.number("bootloader") else { return .needs("bootloader") }
        guard bootloader < required else { return .pass }
        return .refuse(
            id: "bootloader-version-too-low", code: nil,
            "bootloader \(required) is required, but the target has \(bootloader)")
    }

    private func versionAnswer(_ file: FBeaconFile) -> Answer {
        guard let version = target.versionNumber.map({ Int($0) }) else { return target.versionAnswer }
        if version < Int(file.header.versionStart) {
            return .refuse(
                id: "installed-version-too-low", code: nil,
                "the file updates version \(file.header.versionStart) and later, but the target has \(version)"
            )
        }
        guard version >= Int(file.header.versionEnd) else { return .pass }
        if version > Int(file.header.versionEnd) {
            return .refuse(
                id: "downgrade", code: nil,
                "the target has version \(version), but the file installs \(file.header.versionEnd)")
        }
        return .refuse(
            id: "target-up-to-date", code: nil,
            "the target already has version \(version); the file installs \(file.header.versionEnd)")
    }
}
