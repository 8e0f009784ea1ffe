import Bytes
import UpdateModel

/// The contents of a package for Nordic's Secure DFU, from which ``file(signedBy:)`` builds the `.zip`.
///
/// The combinations are nrfutil's: a SoftDevice, a bootloader, both as one image, an application, or an application
/// after either part that includes a SoftDevice (nordic-zip.md, Layout).
package struct NordicPackageRecipe: Sendable {
    package var hardwareVersion: UInt32
    /// SoftDevice ids (FWIDs), one of which must be installed before the update.
    package var softDeviceRequirements: [UInt32]
    /// SoftDevice ids, one of which is installed after the system part; the application that follows lists them.
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

    /// The package, with signed init packets if `key` is given. The same recipe and key give the same bytes.
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
        var parts: [BuiltPart] = []
        // The system part lists the new SoftDevices too, so that an update interrupted after it can be repeated.
        let repeatable = (softDeviceRequirements + newSoftDevices).unique
        if let bootloader {
            let role = softDevice == nil ? FirmwareRole.bootloader : .softdeviceBootloader
            parts.append(try part(role, bootloader, precededBy: softDevice, requiring: repeatable, key))
        } else if let softDevice {
            parts.append(try part(.softdevice, softDevice, requiring: repeatable, key))
        }
        if let application {
            let present = hasSystem && !newSoftDevices.isEmpty ? newSoftDevices : softDeviceRequirements
            let names = parts.map(\.binFile)
            parts.append(try part(.application, application, requiring: present.unique, key, avoiding: names))
        }
        return parts
    }

    /// The part with the image `input`, preceded by `softDevice` if that is not nil. Its entries get other names than
    /// `usedNames`.
    private func part(
        _ role: FirmwareRole, _ input: FirmwareInput, precededBy softDevice: FirmwareInput? = nil,
        requiring softDevices: [UInt32], _ key: NordicPrivateKey?, avoiding usedNames: [String] = []
    ) throws(PackageBuildError) -> BuiltPart {
        let image = (softDevice?.bytes ?? []) + input.bytes
        let softDeviceBytes = role.carriesSoftDevice ? (softDevice ?? input).bytes.count : 0
        let bootloaderBytes = role.carriesBootloader ? input.bytes.count : 0
        var recipe = InitCommandRecipe(
            isExternal ? .externalApplication : role.type,
            // A SoftDevice's version has no meaning; nrfutil writes the highest, which every bootloader accepts.
            version: role == .softdevice ? .max : input.version, hardware: hardwareVersion,
            softDevices: softDevices, digest: SHA256Digest.digest(image))
        recipe.softDeviceSize = UInt32(clamping: softDeviceBytes)
        recipe.bootloaderSize = UInt32(clamping: bootloaderBytes)
        recipe.applicationSize = role == .application ? UInt32(clamping: image.count) : 0
        recipe.isDebug = isDebug
        for input in [softDevice, input].compactMap(\.self) {
            var signature: [UInt8] = []
            if input.bootCheck == .signature {
                guard let key else { throw .keyMissing }
                signature = try key.signature(of: input.bytes)
            }
            recipe.bootValidations.append(BootValidation(type: input.bootCheck.rawValue, bytes: signature))
        }
        let stem = softDevice == nil ? input.stem : "sd_bl"
        let sizes = BuiltPart.sizes(softDevice: softDeviceBytes, bootloader: bootloaderBytes)
        return BuiltPart(
            role: role,
            // Two files may have the same name, from different folders.
            name: usedNames.contains(stem + ".bin") ? "\(stem)_\(role.rawValue)" : stem,
            image: image, initPacket: try recipe.packet(signedBy: key),
            // Devices do not receive these sizes.
            notes: role == .softdeviceBootloader ? ["info_read_only_metadata": .object(sizes)] : [:])
    }
}

package struct FirmwareInput: Hashable, Sendable {
    /// The file name without folders; the entries of the package are named after it.
    package var name: String
    /// The image, a multiple of 4 bytes.
    package var bytes: [UInt8]
    /// The image's version, which is not used for a SoftDevice.
    package var version: UInt32
    package var bootCheck: BootCheck

    package init(name: String, bytes: [UInt8], version: UInt32, bootCheck: BootCheck = .crc) {
        (self.name, self.bytes, self.version, self.bootCheck) = (name, bytes, version, bootCheck)
    }

    var stem: String {
        for ending in [".hex", ".bin"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}

/// How a bootloader of SDK 15.3 or later checks an image at every start.
package enum BootCheck: UInt32, CaseIterable, Hashable, Sendable {
    case nothing = 0
    /// A CRC that the bootloader computes once it has the image.
    case crc = 1
    case sha256 = 2
    /// A signature over the image in the init packet, which is then too long for SDK 12 to 15.0.
    case signature = 3
}
