import Bytes

/// The contents of a package for Nordic's Secure DFU; ``file(signedBy:)`` makes the bytes of the `.zip`.
///
/// The combinations are nrfutil's: a SoftDevice, a bootloader, both as one image, an application, or an application
/// after either part that includes a SoftDevice (nordic-zip.md, Layout).
package struct NordicPackageRecipe: Sendable {
    package var hardwareVersion: UInt32
    /// SoftDevice ids (FWIDs), one of which must be installed before the update.
    package var softDeviceRequirements: [UInt32]
    /// SoftDevice ids, one of which is installed after the system part; for the application that follows it.
    package var newSoftDevices: [UInt32] = []
    package var isDebug = false
    package var softDevice: FirmwareInput?
    package var bootloader: FirmwareInput?
    package var application: FirmwareInput?
    /// Whether the application is for an external chip connected to this one.
    package var isExternal = false

    package init(hardware: UInt32, softDevices: [UInt32]) {
        hardwareVersion = hardware
        softDeviceRequirements = softDevices
    }

    /// Makes the package, with signed init packets if `key` is given. The same recipe and key give the same bytes.
    package func file(signedBy key: NordicPrivateKey? = nil) throws(PackageBuildError) -> [UInt8] {
        let entries = try parts(key).entries()
        var archive = ZipWriter()
        do throws(ArchiveError) {
            for entry in entries { try archive.add(entry.name, entry.bytes) }
            return try archive.file()
        } catch { throw .archive(error) }
    }

    private func parts(_ key: NordicPrivateKey?) throws(PackageBuildError) -> [BuiltPart] {
        let hasSystem = softDevice != nil || bootloader != nil
        guard hasSystem || application != nil else { throw .nothingToPack }
        guard !hasSystem || application == nil || softDevice != nil else { throw .bootloaderWithApplication }
        guard !isExternal || !hasSystem else { throw .externalWithSystem }
        var drafts: [PartDraft] = []
        // The system part's list includes the new SoftDevices, so that an update interrupted after it can be
        // repeated.
        let repeatable = (softDeviceRequirements + newSoftDevices).unique
        if let bootloader {
            let role = softDevice == nil ? FirmwareRole.bootloader : .softdeviceBootloader
            drafts.append(PartDraft(role: role, bootloader, after: softDevice, requiring: repeatable))
        } else if let softDevice {
            drafts.append(PartDraft(role: .softdevice, softDevice, requiring: repeatable))
        }
        if let application {
            let present = hasSystem && !newSoftDevices.isEmpty ? newSoftDevices : softDeviceRequirements
            drafts.append(
                PartDraft(
                    role: .application, application, requiring: present.unique, isExternal: isExternal))
        }
        var parts: [BuiltPart] = []
        for draft in drafts {
            parts.append(
                try draft.part(
                    hardware: hardwareVersion, isDebug: isDebug, key: key,
                    besides: parts.map(\.binFile)))
        }
        return parts
    }
}

extension [UInt32] {
    fileprivate var unique: [UInt32] {
        reduce(into: []) { list, id in if !list.contains(id) { list.append(id) } }
    }
}
