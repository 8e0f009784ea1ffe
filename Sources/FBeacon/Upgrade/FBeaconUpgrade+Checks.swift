import FirmwareModel
public import UpdateCore

/// Whether a container is for a device (fbeacon.md, Matching).
extension FBeaconUpgrade {
    /// What the application shows before anything is written. What it shows only in its own numbering is left to its reply.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        if let wanted = container.records.lazy.compactMap(\.modelType).first, let model = running.model,
            wanted.lowercased() != model.lowercased()
        {
            throw .preparing("wrong-device", "the container is for \(wanted), the device is a \(model)")
        }
        var version = running.version.flatMap { UInt16($0) }
        if let shown = running.version,
            ExpectedVersion(listed: container.versions.upperBound).isMet(by: shown)
        {
            version = container.versions.upperBound
        }
        // A warning follows the device's own word.
        _ = try check(version: version, bootloader: nil, model: nil)
        return []
    }

    /// What the device says of itself; nil for what it does not.
    func check(
        version: UInt16?, bootloader: UInt16?, model: UInt16?
    ) throws(UpdateFailure) -> [UpdateNotice] {
        if let model, container.modelNumber != 0, model != container.modelNumber {
            throw .preparing(
                "wrong-device",
                "the container is for model \(container.modelNumber), the device is of model \(model)")
        }
        if let bootloader, bootloader < container.bootloader {
            throw .preparing(
                "bootloader-version-too-low",
                "bootloader \(container.bootloader) is required, the device has \(bootloader)")
        }
        // Once a transfer has begun, nobody knows what is left of the application.
        guard stage == .fresh || stage == .entered, let version else { return [] }
        return try check(version)
    }

    private func check(_ version: UInt16) throws(UpdateFailure) -> [UpdateNotice] {
        let (start, end) = (container.versions.lowerBound, container.versions.upperBound)
        if version < start {
            throw .preparing(
                "installed-version-too-low",
                "the container updates version \(start) and later, the device has \(version)")
        }
        if version > end, !preferences.risks.contains(.lowerVersion) {
            throw UpdateFailure(
                .versionTooLow, during: "preparing",
                message: "the device has version \(version), the container installs \(end)",
                remedy: "take a newer container, or go back with \(.risk, "lower-version")")
        }
        guard version == end else { return [] }
        guard preferences.risks.contains(.sameVersion) else {
            throw UpdateFailure(
                .sameVersion, during: "preparing",
                message: "the device runs version \(end) already, by its own words",
                remedy: "nothing to do; \(.risk, "same-version") installs it once more")
        }
        return [
            .warning(
                .sameVersion,
                "the device runs version \(end) already; installing it once more proves nothing about the new image"
            )
        ]
    }
}
