import UpdateModel

extension NordicTargetCheck {
    /// The checks after the last byte (init-packet.md, Checks): until then the device accepts everything.
    func lastAnswers(to part: NordicPart, on state: State) -> [Answer] {
        bootValidationAnswers(part) + softDeviceImageAnswers(part, on: state)
    }

    private func bootValidationAnswers(_ part: NordicPart) -> [Answer] {
        guard generation >= .sdk15u3 else { return [] }
        let checks = part.initPacket.bootValidations
        var answers = checks.map { check -> Answer in
            if check.type > 3 {
                return .refuse(
                    id: "boot-validation-unknown", code: "05", "boot validation \(check.type) is unknown")
            }
            guard check.type == 3, check.bytes.count != 64 else { return .pass }
            return .refuse(
                id: "boot-validation-length-wrong", code: "05",
                "the boot validation's signature has \(check.bytes.count) bytes")
        }
        if part.role == .softdeviceBootloader, checks.first?.type == 3, generation < .sdk17 {
            answers.append(
                .refuse(
                    id: "boot-validation-misplaced", code: "05",
                    "the bootloader is checked with the SoftDevice's signature"))
        }
        return answers
    }

    /// A SoftDevice without a bootloader must not change its major version or, from SDK 16 on, its family.
    private func softDeviceImageAnswers(_ part: NordicPart, on state: State) -> [Answer] {
        guard part.role == .softdevice || part.role == .softdeviceBootloader else { return [] }
        guard let new = part.softDevice else {
            guard generation >= .sdk15 else { return [] }
            return [
                .refuse(
                    id: "softdevice-unrecognised", code: "05", "the image has no SoftDevice's magic number")
            ]
        }
        guard part.role == .softdevice else { return [] }
        guard case .installed(let id)? = state.softDevice else { return [] }
        guard let old = Release(id), let new = Release(new.id) else {
            return [.needs("softdevice, by a known id")]
        }
        if old.major != new.major {
            return [
                .refuse(
                    id: "softdevice-mismatch", code: "05",
                    "a SoftDevice alone cannot change from version \(old.major) to \(new.major)")
            ]
        }
        guard generation >= .sdk16, old.family != new.family else { return [] }
        return [
            .refuse(
                id: "softdevice-mismatch", code: "05",
                "a SoftDevice alone cannot change from \(old.family) to \(new.family)")
        ]
    }

    /// Family and major version of a SoftDevice, from its public name.
    private struct Release {
        let family: Substring
        let major: Substring

        init?(_ id: UInt32) {
            let words = SoftDeviceNames.name(of: id)?.split(separator: " ") ?? []
            guard words.count == 2, let major = words[1].split(separator: ".").first else { return nil }
            (family, self.major) = (words[0], major)
        }
    }
}
