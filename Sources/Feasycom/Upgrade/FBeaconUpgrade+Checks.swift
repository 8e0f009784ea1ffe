public import UpdateModel

/// Checks whether a container is for a device (fbeacon.md, Matching).
extension FBeaconUpgrade {
    /// Checks what the application reports before anything is written. A version in its own numbering is left
    /// to its reply.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        if let wanted = container.records.lazy.compactMap(\.modelType).first, let model = running.model,
            wanted.lowercased() != model.lowercased()
        {
            throw .preparing("wrong-device", "the container is for \(wanted), but the beacon is a \(model)")
        }
        var version = running.version.flatMap { UInt16($0) }
        if let shown = running.version,
            ExpectedVersion(listed: container.versions.upperBound).isMet(by: shown)
        {
            version = container.versions.upperBound
        }
        // A warning only after the device's own report.
        _ = try check(version: version, bootloader: nil, model: nil)
        return []
    }

    /// Checks the device's own facts; nil for those that it does not report.
    func check(
        version: UInt16?, bootloader: UInt16?, model: UInt16?
    ) throws(UpdateFailure) -> [UpdateNotice] {
        if let model, container.modelNumber != 0, model != container.modelNumber {
            throw .preparing(
                "wrong-device",
                "the container is for model \(container.modelNumber), but the beacon is model \(model)")
        }
        if let bootloader, bootloader < container.bootloader {
            throw .preparing(
                "bootloader-version-too-low",
                "bootloader \(container.bootloader) is required, but the beacon has \(bootloader)")
        }
        // Once a transfer has begun, the state of the application is unknown.
        guard stage == .fresh || stage == .entered, let version else { return [] }
        return try check(version)
    }

    private func check(_ version: UInt16) throws(UpdateFailure) -> [UpdateNotice] {
        let (start, end) = (container.versions.lowerBound, container.versions.upperBound)
        if version < start {
            throw .preparing(
                "installed-version-too-low",
                "the container updates version \(start) and later, but the beacon has \(version)")
        }
        if version > end, !preferences.risks.contains(.lowerVersion) {
            throw UpdateFailure(
                .versionTooLow, during: "preparing",
                message: "the beacon has version \(version), but the container installs \(end)",
                remedy: "use a newer container, or downgrade with \(.risk, "lower-version")")
        }
        guard version == end else { return [] }
        guard preferences.risks.contains(.sameVersion) else {
            throw UpdateFailure(
                .sameVersion, during: "preparing",
                message: "the beacon reports that it already runs version \(end)",
                remedy: "nothing to do; \(.risk, "same-version") installs it again")
        }
        return [
            .warning(
                .sameVersion,
                "the beacon already runs version \(end), so the version cannot confirm that the new image was installed"
            )
        ]
    }
}
